import type { Kysely } from 'kysely'
import { pauseOfAgent } from '../../agents/pause-state.ts'
import { ApiError } from '../../errors.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { ABANDONED } from './store.ts'

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
    .select([
      'conversations.agent_paused',
      'completions.answered_at',
      'completions.error_code',
      'completions.taken_up_at',
      'completions.redactions',
    ])
    .select(pauseOfAgent(db, 'is_paused', 'conversations.agent_id').as('is_paused'))
    .where('conversations.id', '=', param('conversation_id'))
    .where('completions.id', '=', param('completion_id'))
    .forNoKeyUpdate(),
)

/**
 * Locks a turn's conversation and completion, in this order, until the transaction ends, and returns its state.
 * @param turn with the time when this process took it up; null: this process began it
 * @throws ApiError unavailable when others took the turn up or ended it, because this process seemed gone
 */
export async function lockTurn(
  db: Kysely<Tables>,
  turn: { conversationId: string; completionId: string; takenUpAt: string | null },
): Promise<TurnState> {
  const [row] = await lockRows(db, {
    conversation_id: turn.conversationId,
    completion_id: turn.completionId,
  })
  // Its agent was erased.
  if (!row) return { isPaused: false, isOpen: false, redactions: 0 }
  if (row.taken_up_at !== turn.takenUpAt || row.error_code === ABANDONED)
    throw new ApiError('unavailable', { message: LOST })
  return {
    isPaused: row.is_paused === 1 || row.agent_paused === 1,
    isOpen: row.answered_at === null,
    redactions: row.redactions,
  }
}

const LOST =
  'The process that answered hung, and others took the prompt over. It is kept: a repeat with the same Idempotency-Key gets its answer.'
