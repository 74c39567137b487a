import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { addressOf } from '../http/rate-limits.ts'
import { timestamp } from '../lib/clock.ts'
import { countRows } from '../storage/count-rows.ts'
import { deleteSome } from '../storage/delete-some.ts'
import type { Tables } from '../storage/tables.ts'

const WINDOW_MS = 15 * 60_000
const MOST_FAILURES = 10
/** The limit over all addresses, which also stops guessers with many of them. Known devices are exempt. */
const MOST_OF_ACCOUNT = 100

/**
 * A counter that an attempt belongs to, with the failures that it allows in a quarter of an hour; null for any number.
 */
interface Scope {
  name: string
  most: number | null
}

/**
 * Returns the counters of an attempt to sign in, whether the account exists or not.
 * @param device the mark of a device on which the person has signed in before: it has a counter of its own
 */
export function scopesOf(account: string, address: string, device: string | null): Scope[] {
  if (device !== null) {
    const name = `device ${digestOf(device)}`
    return [
      { name, most: MOST_FAILURES },
      { name: accountScope(account), most: null },
    ]
  }
  return [
    { name: `address ${addressOf({ ip: address })}`, most: MOST_FAILURES },
    { name: accountScope(account), most: MOST_OF_ACCOUNT },
  ]
}

/** Returns the counter of a person who is already signed in: their failures lock no other account. */
export function scopeOfSession(sessionId: number): Scope[] {
  return [{ name: `session ${sessionId}`, most: MOST_FAILURES }]
}

function accountScope(account: string): string {
  return `account ${digestOf(account)}`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Counts an attempt as a failure before it is checked, so that simultaneous attempts cannot slip through together.
 * @returns a function that takes the count back, for an attempt that succeeds
 * @throws ApiError rate_limited after too many failures in a quarter of an hour
 */
export async function countAttempt(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  nowMs: number,
): Promise<() => Promise<void>> {
  const at = timestamp(nowMs)
  const rows = await db
    .insertInto('sign_in_failures')
    .values(scopes.map(({ name }) => ({ scope: name, at })))
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const forget = async () => {
    await db.deleteFrom('sign_in_failures').where('id', 'in', ids).execute()
  }
  for (const { name, most } of scopes) {
    if (most === null) continue
    const recent = await db
      .selectFrom('sign_in_failures')
      .select('at')
      .where('scope', '=', name)
      .where('at', '>', timestamp(nowMs - WINDOW_MS))
      .orderBy('at', 'desc')
      .limit(most + 1)
      .execute()
    if (recent.length <= most) continue
    // The attempt was not checked, and must not extend anybody's wait.
    await forget()
    const wait = Date.parse(recent.at(-1)?.at ?? at) + WINDOW_MS - nowMs
    throw new ApiError('rate_limited', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) },
    })
  }
  return forget
}

/** Counts the attempts at an account that have failed since a time. */
export function countFailures(db: Kysely<Tables>, account: string, since: string): Promise<number> {
  return countRows(
    db.selectFrom('sign_in_failures').where('scope', '=', accountScope(account)).where('at', '>', since),
  )
}

/** Deletes failures that no longer count; returns the number of them. */
export function deleteOldFailures(db: Kysely<Tables>, nowMs: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('sign_in_failures')
    .select('id')
    .where('at', '<=', timestamp(nowMs - WINDOW_MS))
    .limit(limit)
  return deleteSome(db, 'sign_in_failures', ['id'], old)
}
