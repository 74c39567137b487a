import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isRight, type Right } from '../http/rights.ts'
import type { Scope } from '../http/scope.ts'
import { type Clock, DAY_MS, HOUR_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { needsTwoFactor } from './needs-two-factor.ts'
import { displayNameOf } from './operator.ts'
import { scopeOf } from './scope.ts'
import * as store from './store.ts'
import type { OperatorRow, OperatorSessionRow } from './tables.ts'

/** The time after which a session that is not used ends. */
export const IDLE_MS = 12 * HOUR_MS
const LONGEST_MS = 30 * DAY_MS
/** The precision of a session's last use. A write for each request would cost more than the request. */
const TOUCH_EVERY_MS = 60_000

/** A person who is signed in, as read for one request. */
export interface SignedIn {
  sessionId: number
  operatorId: number
  teamId: number
  name: string
  displayName: string
  right: Right
  /** The conversations that they may see; null: all. */
  scope: Scope | null
  /** True when the team requires a second factor that the person has yet to set up. */
  needsTwoFactor: boolean
}

/** The address and the browser of a session, by which its owner can recognize it. */
export interface Visitor {
  address: string
  userAgent: string | null
}

/** Opens a session in the transaction of the sign-in. Returns the token for the cookie; only its hash is stored. */
export async function openSession(
  db: Kysely<Tables>,
  { id }: Pick<OperatorRow, 'id'>,
  { address, userAgent }: Visitor,
  nowMs: number,
): Promise<{ sessionId: number; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const at = timestamp(nowMs)
  const sessionId = await store.insertSession(db, {
    operator_id: id,
    hash: hashOf(token),
    created_at: at,
    used_at: at,
    expires_at: timestamp(nowMs + LONGEST_MS),
    address,
    user_agent: userAgent,
  })
  await store.updateOperator(db, id, { last_seen_at: at })
  return { sessionId, token }
}

/**
 * Reads the person to whom a session's cookie belongs, with their current right; null when the session has ended.
 * @param isUse true if this counts as a use, which keeps the session from expiring
 */
export async function readSession(
  db: Kysely<Tables>,
  token: string,
  clock: Clock,
  isUse = true,
): Promise<SignedIn | null> {
  const nowMs = clock()
  const [row] = await store.selectSession(db, {
    hash: hashOf(token),
    now: timestamp(nowMs),
    used_after: usedAfter(nowMs),
  })
  if (!row || !isRight(row.right)) return null
  if (isUse && Date.parse(row.used_at) <= nowMs - TOUCH_EVERY_MS)
    await store.touchSession(db, row.session_id, row.id, timestamp(nowMs), timestamp(nowMs + IDLE_MS))
  return {
    sessionId: row.session_id,
    operatorId: row.id,
    teamId: row.team_id,
    name: row.name,
    displayName: displayNameOf(row),
    right: row.right,
    scope: scopeOf(row),
    needsTwoFactor: needsTwoFactor(row, { isRequired: row.require_two_factor === 1 }),
  }
}

/** Reads the sessions of an operator that have not ended, newest first. */
export function listSessions(
  db: Kysely<Tables>,
  operatorId: number,
  nowMs: number,
): Promise<OperatorSessionRow[]> {
  return store.selectSessionsOf(db, operatorId, { now: timestamp(nowMs), usedAfter: usedAfter(nowMs) })
}

/** Counts the sessions of all teams that have not ended. */
export function countSessions(db: Kysely<Tables>, nowMs: number): Promise<number> {
  return store.countSessions(db, { now: timestamp(nowMs), usedAfter: usedAfter(nowMs) })
}

/** Reads the present rights and scopes of some sessions; those that have ended, or wait for a second factor, are absent. */
export async function rightsOfSessions(
  db: Kysely<Tables>,
  ids: readonly number[],
  nowMs: number,
): Promise<Map<number, { right: Right; scope: Scope | null }>> {
  const until = { now: timestamp(nowMs), usedAfter: usedAfter(nowMs) }
  const rows = await store.selectRightsOfSessions(db, ids, until)
  return new Map(
    rows.flatMap((row) => {
      const { session_id, right, require_two_factor } = row
      const needs = needsTwoFactor(row, { isRequired: require_two_factor === 1 })
      return isRight(right) && !needs ? [[session_id, { right, scope: scopeOf(row) }]] : []
    }),
  )
}

/** Deletes sessions that have expired; returns the number of them. */
export function deleteOldSessions(db: Kysely<Tables>, nowMs: number, limit: number): Promise<number> {
  return store.deleteOldSessions(db, { now: timestamp(nowMs), usedAfter: usedAfter(nowMs), limit })
}

function usedAfter(nowMs: number): string {
  return timestamp(nowMs - IDLE_MS)
}

/** Returns the hash of a token. It has 256 random bits, so a plain hash protects it. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
