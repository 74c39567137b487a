import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'

const WINDOW_MS = 15 * 60_000
const MOST_FAILURES = 10

/** The counters that an attempt belongs to: one for the account, whether it exists or not, and one for the address. */
export function scopesOf(account: string, address: string): string[] {
  const digest = createHash('sha256').update(account).digest('base64url')
  return [`account ${digest}`, `address ${address}`]
}

/**
 * Counts an attempt as a failure before it is checked, so that simultaneous attempts cannot slip through together.
 * @returns a function that takes the count back, for an attempt that succeeds
 * @throws ApiError rate_limited after ten failures in a quarter of an hour
 */
export async function countAttempt(
  db: Kysely<Tables>,
  scopes: readonly string[],
  nowMs: number,
): Promise<() => Promise<void>> {
  const at = timestamp(nowMs)
  const rows = await db
    .insertInto('sign_in_failures')
    .values(scopes.map((scope) => ({ scope, at })))
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const forget = async () => {
    await db.deleteFrom('sign_in_failures').where('id', 'in', ids).execute()
  }
  for (const scope of scopes) {
    const recent = await db
      .selectFrom('sign_in_failures')
      .select('at')
      .where('scope', '=', scope)
      .where('at', '>', timestamp(nowMs - WINDOW_MS))
      .orderBy('at', 'desc')
      .limit(MOST_FAILURES + 1)
      .execute()
    if (recent.length <= MOST_FAILURES) continue
    // The attempt was not checked, and must not make anybody wait longer.
    await forget()
    const wait = Date.parse(recent.at(-1)?.at ?? at) + WINDOW_MS - nowMs
    throw new ApiError('rate_limited', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) },
    })
  }
  return forget
}

/** How many attempts at an account have failed since a time. */
export async function countFailures(db: Kysely<Tables>, account: string, since: string): Promise<number> {
  const [scope = ''] = scopesOf(account, '')
  const { count } = await db
    .selectFrom('sign_in_failures')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('scope', '=', scope)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes failures that no longer count; returns how many. */
export async function deleteOldFailures(db: Kysely<Tables>, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_failures')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sign_in_failures')
        .select('id')
        .where('at', '<=', timestamp(nowMs - WINDOW_MS))
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
