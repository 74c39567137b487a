import type { Kysely } from 'kysely'
import { teamRequiresTwoFactor } from '../agents/required-two-factor.ts'
import { record } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { refuseOutdated } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { actorOf, operatorVersion } from './operator.ts'
import { checkPassword, hashPassword, passwordMatches } from './password.ts'
import type { SignedIn } from './sessions.ts'
import { countAttempt, scopeOfSession } from './sign-in-failures.ts'
import {
  deleteSessionsOf,
  hasSession,
  lockOperator,
  type OperatorChange,
  selectOperatorById,
  updateOperator,
} from './store.ts'
import type { OperatorRow } from './tables.ts'
import type { OperatorPatch } from './team-operators.ts'
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOfCode, totpAddress } from './two-factor.ts'
import { totpPlace } from './use-code.ts'

/** A person who changes their own account, with the address of the request. */
export interface Self {
  signedIn: SignedIn
  address: string
}

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
}

/** @throws ApiError invalid_login for a wrong current password, invalid_request for an unacceptable new one */
export async function changePassword(
  { db }: Pick<Dependencies, 'db'>,
  self: Self,
  { present, password }: { present: string; password: string },
  nowMs: number,
): Promise<OperatorRow> {
  await requirePassword(db, self, present, nowMs)
  await checkPassword(password)
  const password_hash = await hashPassword(password)
  return changeSelf(db, self, 'password.changed', nowMs, async (db, { id }) => {
    // Anyone else who knew the old password is signed out.
    await deleteSessionsOf(db, id, self.signedIn.sessionId)
    return { password_hash }
  })
}

/** Prepares a second factor, which is on once a code of it has been confirmed. */
export async function beginTwoFactor(
  { db, box }: Dependencies,
  self: Self,
  present: string,
  nowMs: number,
): Promise<{ secret: string; address: string }> {
  const { id, email } = await requirePassword(db, self, present, nowMs)
  const secret = newTotpSecret()
  await db.transaction().execute(async (db) => {
    await lockSelf(db, self)
    await updateOperator(db, id, { totp_pending: box.seal(secret, totpPlace(id, 'totp_pending')) })
  })
  return { secret, address: totpAddress(secret, email) }
}

/**
 * Turns a prepared second factor on. Returns the recovery codes, which are shown only once.
 * @throws ApiError invalid_login
 */
export async function confirmTwoFactor(
  { db, box }: Dependencies,
  self: Self,
  { present, code }: { present: string; code: string },
  nowMs: number,
): Promise<string[]> {
  await requirePassword(db, self, present, nowMs)
  const forgetAttempt = await countAttempt(db, scopeOfSession(self.signedIn.sessionId), nowMs)
  const codes = newRecoveryCodes()
  await changeSelf(db, self, 'two_factor.added', nowMs, async (db, operator) => {
    const { id, totp_pending } = operator
    const secret = totp_pending === null ? null : box.open(totp_pending, totpPlace(id, 'totp_pending'))
    const step = secret === null ? null : stepOfCode(secret, code.replaceAll(' ', ''), nowMs, null)
    if (secret === null || step === null) throw new ApiError('invalid_login', { param: 'code' })
    await deleteSessionsOf(db, id, self.signedIn.sessionId)
    return {
      totp_secret: box.seal(secret, totpPlace(id, 'totp_secret')),
      totp_pending: null,
      totp_step: step,
      recovery_codes: JSON.stringify(codes.map(hashRecoveryCode)),
    }
  })
  await forgetAttempt()
  return codes
}

/** @throws ApiError invalid_login for a wrong password, two_factor_required while the team requires it */
export async function removeTwoFactor(
  { db }: Pick<Dependencies, 'db'>,
  self: Self,
  present: string,
  nowMs: number,
): Promise<void> {
  await requirePassword(db, self, present, nowMs)
  await changeSelf(db, self, 'two_factor.removed', nowMs, async (db, { team_id }) => {
    if (await teamRequiresTwoFactor(db, team_id))
      throw new ApiError('two_factor_required', { message: 'The team requires it: it stays on.' })
    return { totp_secret: null, totp_pending: null, totp_step: null, recovery_codes: null }
  })
}

/** Changes the names by which colleagues and end users know the person. @throws ApiError version_outdated */
export function changeProfile(
  { db }: Pick<Dependencies, 'db'>,
  self: Self,
  { version, ...patch }: Pick<OperatorPatch, 'name' | 'display_name' | 'version'>,
  nowMs: number,
): Promise<OperatorRow> {
  const change = async (_db: Kysely<Tables>, present: OperatorRow) => {
    refuseOutdated(version, operatorVersion(present))
    return patch
  }
  return changeSelf(db, self, 'operator.changed', nowMs, change, { changed: Object.keys(patch) })
}

/** Changes a person's own account within a transaction, and records the change in the audit. */
async function changeSelf(
  db: Kysely<Tables>,
  self: Self,
  action: 'password.changed' | 'two_factor.added' | 'two_factor.removed' | 'operator.changed',
  nowMs: number,
  change: (db: Kysely<Tables>, operator: OperatorRow) => Promise<OperatorChange>,
  details?: Record<string, unknown>,
): Promise<OperatorRow> {
  const {
    signedIn: { operatorId, teamId },
    address,
  } = self
  return db.transaction().execute(async (db) => {
    const operator = await lockSelf(db, self)
    const values = await change(db, operator)
    const changed = Object.keys(values).length > 0 ? await updateOperator(db, operatorId, values) : operator
    await record(db, {
      teamId,
      at: timestamp(nowMs),
      actor: actorOf(changed),
      action,
      target: `operator ${operatorId}`,
      ...(details ? { details } : {}),
      address,
    })
    return changed
  })
}

/**
 * Reads the account and locks its row until the transaction ends.
 * @throws ApiError no_session if the session has ended since the request began: somebody may have reset the account, or
 * changed its password elsewhere, while this request checked the old one
 */
export async function lockSelf(
  db: Kysely<Tables>,
  { signedIn: { sessionId, operatorId, teamId } }: Pick<Self, 'signedIn'>,
): Promise<OperatorRow> {
  const operator = await lockOperator(db, teamId, operatorId)
  if (!operator || !(await hasSession(db, operatorId, sessionId))) throw new ApiError('no_session')
  return operator
}

/** Makes sure that the caller is the owner of the account. Wrong passwords count only for the session. */
async function requirePassword(
  db: Kysely<Tables>,
  { signedIn }: Self,
  password: string,
  nowMs: number,
): Promise<OperatorRow> {
  const operator = await selectOperatorById(db, signedIn.operatorId)
  if (!operator) throw new ApiError('no_session')
  const forgetAttempt = await countAttempt(db, scopeOfSession(signedIn.sessionId), nowMs)
  if (!(await passwordMatches(password, operator.password_hash))) throw new ApiError('invalid_login')
  await forgetAttempt()
  return operator
}
