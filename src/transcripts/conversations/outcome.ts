import { z } from 'zod'
import type { ConversationRow } from '../tables.ts'
import type { Doer, HappeningActor } from './happenings.ts'
import { type Outcome, outcomes } from './outcomes.ts'

/** The fields of answers that tell how a conversation ended. */
export const outcomeFields = {
  outcome: z
    .enum(outcomes)
    .nullable()
    .describe('How it ended; null: it has not, or ended before outcomes were kept.'),
  outcome_by: z
    .object({ kind: z.string(), id: z.int().nullable(), name: z.string().nullable() })
    .nullable()
    .describe('Who ended it, or said later how it had ended.'),
}

/** Returns how a conversation ended, for answers. An older version may have opened it again and left its outcome. */
export function presentOutcome({
  ended_at,
  outcome,
  outcome_by,
}: Pick<ConversationRow, 'ended_at' | 'outcome' | 'outcome_by'>): {
  outcome: Outcome | null
  outcome_by: HappeningActor | null
} {
  if (ended_at === null) return { outcome: null, outcome_by: null }
  return { outcome, outcome_by: outcome_by === null ? null : (JSON.parse(outcome_by) as HappeningActor) }
}

/** The values of a conversation that has not ended. */
export const notEnded = { ended_at: null, outcome: null, outcome_by: null } as const

/** Returns the values of a conversation that ends, or has ended, with an outcome. */
export function endedWith(outcome: Outcome, { actor }: Pick<Doer, 'actor'>) {
  const { kind, id, name } = actor
  return { outcome, outcome_by: JSON.stringify({ kind, id, name }) }
}
