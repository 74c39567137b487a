import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'

const WINDOW_MS = 15 * 60_000
const MOST_FAILURES = 10

/** Whose attempts are counted together: those at an account, known or not, and those from an address. */
export function scopesOf(account: string, address: string): string[] {
  const digest = createHash('sha256').update(account).digest('base64url')
  return [`account ${digest}`, `address ${address}`]
}

/**
 * Counts an attempt as a failure before it is looked at, so that attempts at once cannot slip through together.
 * @returns what takes the count back, for an attempt that was right
 * @throws ApiError rate_limited after ten failures in a quarter of an hour
 */
export async function countAttempt(
  db: Kysely<Tables>,
  scopes: readonly string[],
  now: number,
): Promise<() => Promise<void>> {
  const at = timestamp(now)
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
      .where('at', '>', timestamp(now - WINDOW_MS))
      .orderBy('at', 'desc')
      .limit(MOST_FAILURES + 1)
      .execute()
    if (recent.length <= MOST_FAILURES) continue
    // It was not looked at, and makes nobody wait longer.
    await forget()
    const wait = Date.parse(recent.at(-1)?.at ?? at) + WINDOW_MS - now
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

/** Forgets failures that no longer count; returns how many. */
export async function deleteOldFailures(db: Kysely<Tables>, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_failures')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sign_in_failures')
        .select('id')
        .where('at', '<=', timestamp(now - WINDOW_MS))
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
