import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import type { Tables } from '../storage/tables.ts'
import { selectCompletionById, selectCompletionMessages } from '../transcripts/completions/store.ts'
import { selectPauseState } from '../transcripts/conversations/pause-state.ts'
import { readPlace } from '../transcripts/conversations/place.ts'
import { asModelMessage } from '../transcripts/messages/as-model-message.ts'
import { readHistory } from '../transcripts/messages/read-history.ts'
import type { StartedTurn } from './turn.ts'

/**
 * Takes up a turn whose process died after its prompt was stored.
 * @returns null when the completion has ended meanwhile, or nothing is left of its prompt
 */
export async function resumeTurn(
  db: Kysely<Tables>,
  agentId: number,
  completionId: string,
): Promise<StartedTurn | null> {
  const [completion] = await selectCompletionById(db, { agent_id: agentId, id: completionId })
  if (!completion || completion.answered_at !== null) return null
  const agent = await readAgent(db, agentId)
  const rows = await selectCompletionMessages(db, { completion_id: completionId })
  if (rows.length > 0 && rows.every(({ redacted }) => redacted === 'scrub')) return null
  const conversationId = completion.conversation_id
  const [state] = await selectPauseState(db, { conversation_id: conversationId })
  return {
    completionId,
    number: completion.number,
    conversationId,
    createdAt: completion.created_at,
    agent,
    history: await readHistory(db, conversationId, agent.settings.history_limit, rows[0]?.id),
    messages: rows.map(asModelMessage),
    messageIds: rows.map(({ id }) => id),
    paused: agent.isPaused || state?.agent_paused === 1,
    place: {
      ...(await readPlace(db, completion)),
      pageUrl: completion.page_url,
      userIsNew: null,
    },
  }
}
