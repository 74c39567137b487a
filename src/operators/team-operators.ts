import type { Kysely } from 'kysely'
import { type By, record } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { refuseOutdated } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { unlessTaken } from '../storage/unless-taken.ts'
import { wake } from '../storage/waking-db.ts'
import { INVITATION_MS, makeLink } from './links.ts'
import type { MailLink } from './mails/mail-link.ts'
import { type OperatorRight, operatorVersion } from './operator.ts'
import { type GivenScope, keptScope } from './scope.ts'
import {
  deleteLinksOf,
  deleteOperator,
  deleteSessionsOf,
  insertOperator,
  lockActiveOwners,
  lockOperator,
  updateOperator,
} from './store.ts'
import type { OperatorRow } from './tables.ts'

/** The topic of wake-ups after people were removed, whose work now has no owner. */
export const REMOVED_OPERATORS = 'removed operators'

interface Invitation extends GivenScope {
  email: string
  right: OperatorRight
  name?: string | undefined
}

/** The dependencies for creating links and mailing them. */
interface LinkDependencies {
  db: Kysely<Tables>
  mailLink: MailLink
}

/**
 * Adds a person to a team and creates the link by which they join.
 * @throws ApiError email_taken
 */
export function inviteOperator(
  { db, engine, mailLink }: LinkDependencies & { engine: Pick<Engine, 'isUniqueViolation'> },
  teamId: number,
  invited: Invitation,
  by: By,
  nowMs: number,
  linkLastsMs = INVITATION_MS,
): Promise<{ operator: OperatorRow; token: string }> {
  return unlessTaken(engine, 'email_taken', 'email', () =>
    db.transaction().execute((db) => addInvited({ db, mailLink }, teamId, invited, by, nowMs, linkLastsMs)),
  )
}

/** Invites a person in a transaction of the caller's, which fails when somebody has the address. */
export async function addInvited(
  { db, mailLink }: LinkDependencies,
  teamId: number,
  { email, right, name, ...given }: Invitation,
  by: By,
  nowMs: number,
  linkLastsMs: number,
): Promise<{ operator: OperatorRow; token: string }> {
  const at = timestamp(nowMs)
  const account = email.trim().toLowerCase()
  const scope = keptScope(right, given, { scope: 'all', sees_unassigned: 0 })
  const row = {
    team_id: teamId,
    name: name ?? nameOf(account),
    email: account,
    right,
    created_at: at,
    ...scope,
  }
  const operator = await insertOperator(db, row)
  const token = await makeLink(db, operator.id, nowMs, linkLastsMs)
  await mailLink(db, { operatorId: operator.id, kind: 'invitation', token }, nowMs)
  const target = `operator ${operator.id}`
  await record(db, {
    teamId,
    at,
    ...by,
    action: 'operator.invited',
    target,
    details: { right, scope: scope.scope },
  })
  return { operator, token }
}

/** Changes that an owner may make to a person. */
export interface OperatorPatch extends GivenScope {
  name?: string | undefined
  display_name?: string | null | undefined
  right?: OperatorRight | undefined
  active?: boolean | undefined
  version?: string | undefined
}

/**
 * Changes a person of a team. A person who is made inactive is signed out at once.
 * @throws ApiError operator_not_found, last_owner, version_outdated
 */
export async function changeOperator(
  db: Kysely<Tables>,
  teamId: number,
  id: number,
  { version, ...patch }: OperatorPatch,
  by: By,
  nowMs: number,
): Promise<OperatorRow> {
  return db.transaction().execute(async (db) => {
    const keepsOwning = patch.active !== false && (patch.right === undefined || patch.right === 'own')
    const present = await lockForChange(db, teamId, id, keepsOwning)
    refuseOutdated(version, operatorVersion(present))
    const { active, scope, unassigned, ...rest } = patch
    const right = patch.right ?? (present.right as OperatorRight)
    const changed = await updateOperator(db, id, {
      ...rest,
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      ...keptScope(right, { scope, unassigned }, present),
    })
    if (changed.active === 0) await endAccess(db, id)
    await record(db, {
      teamId,
      at: timestamp(nowMs),
      ...by,
      action: 'operator.changed',
      target: `operator ${id}`,
      details: {
        changed: Object.keys(patch),
        ...(patch.right ? { right: patch.right } : {}),
        ...(scope ? { scope } : {}),
      },
    })
    return changed
  })
}

/**
 * Removes a person from a team for good.
 * @throws ApiError operator_not_found, last_owner
 */
export async function removeOperator(
  db: Kysely<Tables>,
  teamId: number,
  id: number,
  by: By,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockForChange(db, teamId, id, false)
    await deleteOperator(db, id)
    wake(db, REMOVED_OPERATORS)
    await record(db, {
      teamId,
      at: timestamp(nowMs),
      ...by,
      action: 'operator.removed',
      target: `operator ${id}`,
    })
  })
}

/**
 * Creates a link by which a person chooses a new password. Their old password, second factor, sessions and links, and
 * their sign-in through an identity provider, stop working at once.
 * @throws ApiError operator_not_found
 */
export async function resetOperator(
  { db, mailLink }: LinkDependencies,
  teamId: number,
  id: number,
  by: By,
  nowMs: number,
): Promise<{ operator: OperatorRow; token: string }> {
  return db.transaction().execute(async (db) => {
    foundOr(await lockOperator(db, teamId, id), 'operator_not_found')
    const operator = await updateOperator(db, id, {
      password_hash: null,
      oidc_issuer: null,
      oidc_subject: null,
      totp_secret: null,
      totp_pending: null,
      totp_step: null,
      recovery_codes: null,
    })
    await endAccess(db, id)
    const token = await makeLink(db, id, nowMs, INVITATION_MS)
    await mailLink(db, { operatorId: id, kind: 'reset', token }, nowMs)
    await record(db, {
      teamId,
      at: timestamp(nowMs),
      ...by,
      action: 'operator.reset',
      target: `operator ${id}`,
    })
    return { operator, token }
  })
}

async function endAccess(db: Kysely<Tables>, id: number): Promise<void> {
  await deleteSessionsOf(db, id, null)
  await deleteLinksOf(db, id)
  // Nobody is given conversations who cannot sign in.
  await updateOperator(db, id, { available_until: null })
}

/**
 * Locks an operator. Locks the owners first when the team may lose one, so that two owners cannot remove each other.
 */
async function lockForChange(
  db: Kysely<Tables>,
  teamId: number,
  id: number,
  keepsOwning: boolean,
): Promise<OperatorRow> {
  const owners = keepsOwning ? [] : await lockActiveOwners(db, teamId)
  const present = foundOr(await lockOperator(db, teamId, id), 'operator_not_found')
  if (owners.includes(id) && owners.length === 1) throw new ApiError('last_owner')
  return present
}

/** Returns the part of an address before the @, used until the person enters a name. */
function nameOf(email: string): string {
  return email.split('@')[0] || email
}
