import { type RawBuilder, sql } from 'kysely'

/**
 * Returns a condition for queries: the completion was not redacted since it was read.
 * @param id, redactions the completion's id and its `redactions` as they were read
 * @param locks true to keep it from being redacted until the transaction ends; the condition is then false while it is
 * being redacted
 */
export function notRedactedSince(
  id: RawBuilder<unknown>,
  redactions: RawBuilder<unknown>,
  locks: boolean,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from completions where id = ${id} and redactions = ${redactions}
    ${sql.raw(locks ? 'for share skip locked' : '')})`
}
