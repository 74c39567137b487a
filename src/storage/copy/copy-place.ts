import { z } from 'zod'
import { type BulkRow, type BulkTable, parseKey } from '../bulk.ts'

/** The place that a copy has reached. It is written in the transaction of the rows. */
export const copyPlaceSchema = z.strictObject({
  /** Identifies the database that is copied. */
  source: z.string(),
  /** The table that is being copied; null before the first. */
  table: z.string().nullable(),
  /** The key of its last row, with numbers as text; null before the first. */
  after: z.array(z.string()).nullable(),
  /** True if the copy follows what changes in its source. */
  follows: z.boolean(),
  /** True once all tables are copied, and only changes come. */
  isComplete: z.boolean(),
  /** Statements that bring back what the target goes without until it is whole. */
  restore: z.array(z.string()),
})

export type CopyPlace = z.output<typeof copyPlaceSchema>

/** Returns the tables that are still to be copied from a place on, each with the key of its last row that is. */
export function remaining(
  tables: readonly BulkTable[],
  place: CopyPlace,
): { table: BulkTable; after: BulkRow | null }[] {
  const first = tables.findIndex(({ name }) => name === place.table)
  return tables.slice(Math.max(0, first)).map((table) => ({
    table,
    after: table.name === place.table && place.after ? parseKey(table, place.after) : null,
  }))
}
