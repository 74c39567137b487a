import { z } from 'zod'
import { rowIdField, time, timeFilter } from '../../http/schemas.ts'
import { priorities } from '../../transcripts/conversations/priority.ts'
import { tagsSchema } from '../../transcripts/conversations/schemas.ts'
import type { BulkActRow } from '../tables.ts'

/** The actions that a bulk act can apply to conversations. */
export const bulkAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('assign'),
    operator_id: rowIdField.nullable().optional().describe('Null: to nobody.'),
    group_id: rowIdField.nullable().optional().describe('Null: to no group.'),
  }),
  z.strictObject({
    type: z.literal('tag'),
    tags: tagsSchema.describe('Merged into those of each; null takes one away.'),
  }),
  z.strictObject({ type: z.literal('priority'), priority: z.enum(priorities) }),
  z.strictObject({
    type: z.literal('snooze'),
    until: timeFilter.nullable().describe('Null: they come back at once.'),
  }),
  z.strictObject({ type: z.literal('end') }),
  z.strictObject({ type: z.literal('reopen') }),
  z.strictObject({ type: z.literal('macro'), macro_id: rowIdField }),
])

export type BulkAction = z.output<typeof bulkAction>

/** Undoes the macro that an earlier bulk act ran, in all of its conversations. */
export interface UndoMacro {
  type: 'undo_macro'
  bulk_act: number
}

/** The work of a bulk act: an action that somebody asked for, or the undoing of an earlier act. */
export type BulkWork = BulkAction | UndoMacro

/** Reasons for which an act leaves a conversation as it is. */
const skipReasons = [
  'already_assigned',
  'assignee_left',
  'group_deleted',
  'already_tagged',
  'too_many_tags',
  'already_prioritized',
  'already_snoozed',
  'not_snoozed',
  'already_ended',
  'already_open',
  'macro_deleted',
  'macro_failed',
  'macro_unneeded',
  'changed_since',
  'nothing_to_undo',
  'user_blocked',
  'outside_scope',
  'failed',
] as const

export type SkipReason = (typeof skipReasons)[number]

/** The number of conversations that were left as they were, by reason. */
export type Skipped = Partial<Record<SkipReason, number>>

export const bulkActSchema = z
  .object({
    id: z.int(),
    action: z
      .looseObject({ type: z.string() })
      .describe('As it was asked for; `undo_macro` with the `bulk_act` whose macro it undoes.'),
    state: z
      .enum(['gathering', 'working', 'done', 'failed', 'cancelled'])
      .describe('`gathering`: the matching conversations are still being collected.'),
    matched: z.int().describe('How many conversations match; so far, while they are gathered.'),
    done: z.int().describe('How many of them have been worked.'),
    changed: z.int().describe('How many of those were changed.'),
    skipped: z
      .array(z.object({ reason: z.enum(skipReasons), count: z.int() }))
      .describe(
        'Why the others were left as they were: `too_many_tags` also for tags that would be too long together, `assignee_left` when the person has left the team meanwhile, `group_deleted` when the group was deleted, `macro_failed` when an action of the macro failed (`GET /inbox/bulk/{id}/runs` says which), `macro_unneeded` when all already was as the macro would have it, `changed_since` when something that the macro did has been changed since and so stays, `nothing_to_undo` when the macro did nothing there that can be undone, `outside_scope` when the person may no longer see the conversation, `failed` when three tries to change it failed.',
      ),
    can_undo: z
      .boolean()
      .describe(
        'Whether it ran a macro, has finished, did something that can be undone, and nobody has begun to.',
      ),
    undone_by: z.int().nullable().describe('The bulk act that undoes it; null: none.'),
    created_at: time,
    starts_at: time.nullable().describe('Until when it can be cancelled; null: it has begun.'),
    finished_at: time.nullable(),
  })
  .meta({ id: 'BulkAct' })

/** Presents a bulk act as the API returns it. */
export function presentBulkAct(row: BulkActRow): z.output<typeof bulkActSchema> {
  const { id, state, matched, done, changed, undoable, undone_by, created_at, starts_at, finished_at } = row
  const skipped: Skipped = JSON.parse(row.skipped)
  return {
    id,
    action: JSON.parse(row.action),
    state,
    matched,
    done,
    changed,
    skipped: skipReasons.flatMap((reason) => {
      const count = skipped[reason]
      return count === undefined ? [] : { reason, count }
    }),
    can_undo: undoable > 0 && finished_at !== null && undone_by === null,
    undone_by,
    created_at,
    starts_at,
    finished_at,
  }
}
