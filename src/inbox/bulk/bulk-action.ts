import { z } from 'zod'
import { time } from '../../http/schemas.ts'
import { tagsSchema } from '../../transcripts/conversations/schemas.ts'
import type { BulkActRow } from '../tables.ts'

/** What can be done to many conversations at once. */
export const bulkAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('assign'),
    operator_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().describe('Null: to nobody.'),
  }),
  z.strictObject({
    type: z.literal('tag'),
    tags: tagsSchema.describe('Merged into those of each; null takes one away.'),
  }),
  z.strictObject({ type: z.literal('end') }),
  z.strictObject({ type: z.literal('reopen') }),
])

export type BulkAction = z.output<typeof bulkAction>

export const bulkActSchema = z
  .object({
    id: z.int(),
    action: z.looseObject({ type: z.string() }),
    state: z
      .enum(['gathering', 'working', 'done', 'failed', 'cancelled'])
      .describe('`gathering`: it is still found out which conversations match.'),
    matched: z.int().describe('How many conversations match; so far, while they are gathered.'),
    done: z.int().describe('How many of them have been worked.'),
    changed: z.int().describe('How many of those are now other than before.'),
    created_at: time,
    starts_at: time.nullable().describe('Until when it can be cancelled; null: it has begun.'),
    finished_at: time.nullable(),
  })
  .meta({ id: 'BulkAct' })

/** A bulk act as it is answered. */
export function presentBulkAct(row: BulkActRow): z.output<typeof bulkActSchema> {
  const { id, state, matched, done, changed, created_at, starts_at, finished_at } = row
  return {
    id,
    action: JSON.parse(row.action),
    state,
    matched,
    done,
    changed,
    created_at,
    starts_at,
    finished_at,
  }
}
