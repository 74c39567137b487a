import type { Kysely } from 'kysely'
import { pauseOfAgent } from '../../agents/pause-state.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

/** The state that decides how a turn goes on. */
interface TurnState {
  /** True if the agent is paused now, everywhere or in the conversation. */
  isPaused: boolean
  /** True if the completion has not ended yet. */
  isOpen: boolean
  /** The number of times the completion was redacted. */
  redactions: number
}

const lockRows = prepared((db, param: ParamOf<{ conversation_id: string; completion_id: string }>) =>
  db
    .selectFrom('conversations')
    .innerJoin('completions', 'completions.conversation_id', 'conversations.id')
    .select(['conversations.agent_paused', 'completions.answered_at', 'completions.redactions'])
    .select(pauseOfAgent(db, 'is_paused', 'conversations.agent_id').as('is_paused'))
    .where('conversations.id', '=', param('conversation_id'))
    .where('completions.id', '=', param('completion_id'))
    .forNoKeyUpdate(),
)

/** Locks a turn's conversation and completion, in this order, until the transaction ends, and returns its state. */
export async function lockTurn(
  db: Kysely<Tables>,
  { conversationId, completionId }: { conversationId: string; completionId: string },
): Promise<TurnState> {
  const [row] = await lockRows(db, { conversation_id: conversationId, completion_id: completionId })
  // Its agent was erased.
  if (!row) return { isPaused: false, isOpen: false, redactions: 0 }
  return {
    isPaused: row.is_paused === 1 || row.agent_paused === 1,
    isOpen: row.answered_at === null,
    redactions: row.redactions,
  }
}
