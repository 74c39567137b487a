import type { Kysely } from 'kysely'
import type { KeptPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { updateOperator } from './store.ts'
import type { OperatorRow } from './tables.ts'
import { hashRecoveryCode, stepOfCode } from './two-factor.ts'

/** Returns the place that an operator's secrets are sealed for. */
export function totpPlace(operatorId: number, column: 'totp_secret' | 'totp_pending'): KeptPlace {
  return `operators|${operatorId}|${column}`
}

/**
 * Checks a code of an operator's second factor, or a recovery code, and uses it up. The caller holds the operator's
 * lock.
 */
export async function useCode(
  db: Kysely<Tables>,
  box: SecretBox,
  operator: OperatorRow,
  code: string,
  nowMs: number,
): Promise<boolean> {
  if (operator.totp_secret === null) return false
  const secret = box.open(operator.totp_secret, totpPlace(operator.id, 'totp_secret'))
  const step = stepOfCode(secret, code.replaceAll(' ', ''), nowMs, operator.totp_step)
  if (step !== null) {
    await updateOperator(db, operator.id, { totp_step: step })
    return true
  }
  const hashes = JSON.parse(operator.recovery_codes ?? '[]') as string[]
  const used = hashRecoveryCode(code)
  if (!hashes.includes(used)) return false
  await updateOperator(db, operator.id, {
    recovery_codes: JSON.stringify(hashes.filter((hash) => hash !== used)),
  })
  return true
}
