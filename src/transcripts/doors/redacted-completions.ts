import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../../texts/text-rows.ts'
import { noMessageWaits } from './waiting-for-redaction.ts'

type Db = Kysely<Tables>

/** Locks completions, and keeps deliveries that were built from their old texts from being sent. */
export async function lockCompletions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set((row) => ({ redactions: sql<number>`${row.ref('redactions')} + 1` }))
    .where('id', 'in', ids)
    .execute()
}

/**
 * Marks those completions as redacted that have no message left to redact.
 * @param erasureId the erasure that redacted them
 */
export async function markFinished(
  db: Db,
  ids: string[],
  mode: RedactionMode,
  erasureId: string | null,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set({ redacted: mode, erasure_id: erasureId })
    .where('id', 'in', ids)
    .where(noMessageWaits(mode))
    .execute()
}

/** Notes the erasure of a completion that an earlier version has redacted, or that had no text. */
export async function noteErasure(db: Db, id: string, erasureId: string): Promise<void> {
  await db
    .updateTable('completions')
    .set({ erasure_id: erasureId })
    .where('id', '=', id)
    .where('redacted', 'is not', null)
    .where('erasure_id', 'is', null)
    .execute()
}

/**
 * Returns the condition that a completion is anonymized.
 * @param completion the column of the outer query that holds its id
 */
export function isOfAnonymized(completion: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from completions
    where completions.id = ${sql.ref(completion)} and completions.redacted = 'anonymize')`
}
