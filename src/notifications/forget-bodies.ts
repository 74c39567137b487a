import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'

/** Deletes the stored bodies of webhooks about completions, and the receivers' answers. */
export async function forgetBodies(
  db: Kysely<Tables>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set(forgotten('deliveries'))
    .where('payload', 'is not', null)
    .where('completion_id', 'in', completions)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
