import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { beginSession } from './begin-session.ts'
import { passwordMatches } from './password.ts'
import { recordRefusal } from './record-refusal.ts'
import type { Visitor } from './sessions.ts'
import { countAttempt, scopesOf } from './sign-in-failures.ts'
import { lockOperator, selectOperatorByEmail } from './store.ts'
import type { OperatorRow } from './tables.ts'
import { useCode } from './use-code.ts'

interface SignIn {
  email: string
  password: string
  /** A code of the second factor, or a recovery code. */
  code?: string | undefined
}

/**
 * Signs a person in. An unknown address, a wrong password and an inactive account get the same answer in the same time.
 * @throws ApiError invalid_login; code_needed when the password is right and a code is missing; rate_limited after too
 * many failures from the address or of the account, or on the device where the person has signed in before
 * @param deviceOf returns the mark of the device as one of the person's; null when it is none
 */
export async function signIn(
  { db, box }: { db: Kysely<Tables>; box: SecretBox },
  { email, password, code }: SignIn,
  visitor: Visitor,
  deviceOf: (operator: OperatorRow) => string | null,
  nowMs: number,
): Promise<{ operator: OperatorRow; sessionId: number; token: string }> {
  const account = email.trim().toLowerCase()
  const known = await selectOperatorByEmail(db, account)
  const device = known ? deviceOf(known) : null
  const forgetAttempt = await countAttempt(db, scopesOf(account, visitor.address, device), nowMs)
  const isRight = await passwordMatches(password, known?.password_hash ?? null)
  if (!known || !isRight || known.active === 0) {
    if (known) await recordRefusal(db, known, visitor, nowMs)
    throw new ApiError('invalid_login')
  }
  if (known.totp_secret !== null && !code) {
    await forgetAttempt()
    throw new ApiError('code_needed')
  }
  const session = await db.transaction().execute(async (db) => {
    // Read again under a lock, so that each code works only once and a person who has just been disabled
    // cannot sign in.
    const operator = await lockOperator(db, known.team_id, known.id)
    if (!operator || operator.active === 0 || operator.password_hash !== known.password_hash) return null
    if (operator.totp_secret !== null && !(await useCode(db, box, operator, code ?? '', nowMs))) return null
    return { operator, ...(await beginSession(db, operator, visitor, nowMs)) }
  })
  if (!session) {
    await recordRefusal(db, known, visitor, nowMs)
    throw new ApiError('invalid_login')
  }
  await forgetAttempt()
  return session
}
