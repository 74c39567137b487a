import { z } from 'zod'

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
