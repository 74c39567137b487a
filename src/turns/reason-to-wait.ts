import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { hasPersonAnswered } from '../transcripts/conversations/pause-state.ts'
import type { WaitingReason } from '../transcripts/tables.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnEnd } from './turn-end.ts'

/** Returns the reason for which a conversation waits for a person after a turn. A guardrail that acted goes first. */
export async function reasonToWait(
  db: Kysely<Tables>,
  turn: StartedTurn,
  end: TurnEnd,
  isPaused: boolean,
): Promise<WaitingReason | null> {
  const afterPause = isPaused ? await waitsForPerson(db, turn) : null
  if (end.rules?.hasGuarded()) return 'flagged'
  // The client may be gone and the model may have failed: the wish stays.
  if (end.asksForPerson && (!isPaused || afterPause)) return 'asked'
  if (isPaused) return afterPause
  if (end.kind === 'broken') return end.failure ? 'failed' : null
  return end.kind === 'answered' && !end.answered ? 'unanswered' : null
}

/**
 * Returns the reason for which a prompt waits for a person when a pause came after it; null when a person has answered
 * it already, or nobody is to. A prompt that came while the agent was paused got its reason when it was stored.
 */
export async function waitsForPerson(
  db: Kysely<Tables>,
  { conversationId, messageIds, blocked }: StartedTurn,
): Promise<'unanswered' | null> {
  if (blocked) return null
  return (await hasPersonAnswered(db, conversationId, messageIds.at(-1) ?? 0)) ? null : 'unanswered'
}
