import type { Kysely } from 'kysely'
import { pauseOfAgent } from '../../agents/pause-state.ts'
import { countRows } from '../../storage/count-rows.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

/** The topic on which processes hear that the agent was paused in a conversation. */
export function pausedTopic(conversationId: string): string {
  return `paused:${conversationId}`
}

/** The topic on which processes hear that an agent was paused in all of its conversations. */
export function pausedEverywhereTopic(agentId: number): string {
  return `paused everywhere:${agentId}`
}

/** Reads whether the agent is paused in one conversation. */
export const selectPauseOf = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db.selectFrom('conversations').select('agent_paused').where('id', '=', param('conversation_id')),
)

/** Tells whether the agent is paused in a conversation, there or everywhere. */
export async function isPausedIn(db: Kysely<Tables>, conversationId: string): Promise<boolean> {
  return (await pausedSince(db, conversationId)) !== null
}

const selectPauses = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('conversations')
    .select([
      'agent_paused',
      'agent_paused_at',
      pauseOfAgent(db, 'is_paused', 'conversations.agent_id').as('is_paused'),
      pauseOfAgent(db, 'paused_at', 'conversations.agent_id').as('paused_at'),
    ])
    .where('id', '=', param('conversation_id')),
)

/**
 * Returns the time since which the agent is paused in a conversation, there or everywhere, whichever came later; null:
 * it is not paused.
 */
async function pausedSince(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const [state] = await selectPauses(db, { conversation_id: conversationId })
  if (!state) return null
  const since = [
    ...(state.is_paused ? [state.paused_at ?? ''] : []),
    ...(state.agent_paused ? [state.agent_paused_at ?? ''] : []),
  ]
  return since.sort().at(-1) ?? null
}

/** Tells whether a person has answered in a conversation after one of its messages. */
export async function hasPersonAnswered(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
): Promise<boolean> {
  const answer = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('id', '>', messageId)
    .where('role', '=', 'operator')
    .limit(1)
    .executeTakeFirst()
  return answer !== undefined
}

/** Counts what people have answered in a conversation since a time. */
export function countAnswersOfPeople(
  db: Kysely<Tables>,
  conversationId: string,
  since: string,
): Promise<number> {
  const messages = db.selectFrom('messages').where('conversation_id', '=', conversationId)
  return countRows(messages.where('role', '=', 'operator').where('created_at', '>=', since))
}

/** Tells whether the pause message was sent or a person has answered since the agent was paused in a conversation. */
export async function hasSpokenSince(db: Kysely<Tables>, conversationId: string): Promise<boolean> {
  const since = await pausedSince(db, conversationId)
  const spoken = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('role', 'in', ['transition', 'operator'])
    .where('created_at', '>=', since ?? '')
    .limit(1)
    .executeTakeFirst()
  return spoken !== undefined
}
