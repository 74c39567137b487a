import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import { inLanguage } from '../agents/in-language.ts'
import { invalidField } from '../errors.ts'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import { detectLanguage } from '../lib/language/detect-language.ts'
import type { ModelMessage } from '../model/model.ts'
import type { Tables } from '../storage/tables.ts'
import { insertCompletion } from '../transcripts/completions/store.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { byUser } from '../transcripts/conversations/happenings.ts'
import { eventsOfVisit, findOrOpen } from '../transcripts/conversations/open-conversation.ts'
import { placeOf } from '../transcripts/conversations/place.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessages } from '../transcripts/messages/append-message.ts'
import { type History, NO_HISTORY, readHistory } from '../transcripts/messages/read-history.ts'
import { type Idempotency, keepKey } from '../transcripts/repeats/repeats.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { idOfKey, sourceOfKey, userOfConversation } from '../transcripts/users/user-key.ts'
import { userText } from './prompt-text.ts'
import { newMessages, type Prompt } from './request.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnHooks } from './turn-hooks.ts'

/** The input of a turn. */
interface TurnStart {
  owner: Owner
  prompt: Prompt
  idempotency: Idempotency | null
  modelOf: (agent: Agent) => string
  hooks: TurnHooks
  /** The process that is going to answer. */
  holder: string
  nowMs: number
}

/**
 * Stores a prompt with all that comes with it, in one transaction, before any model is asked.
 * @returns the started turn, or the id of the completion that an earlier request with the same key made
 * @throws ApiError conversation_not_found, external_id_taken, idempotency_key_reused, invalid_request
 */
export async function startTurn(
  db: Kysely<Tables>,
  { owner, prompt, idempotency, modelOf, hooks, holder, nowMs }: TurnStart,
): Promise<StartedTurn | { repeated: string }> {
  const completionId = uuidv7(nowMs)
  const createdAt = timestamp(nowMs)
  return db.transaction().execute(async (db) => {
    await hooks.starting(db)
    if (idempotency) {
      const repeated = await keepKey(db, owner.agentId, idempotency, completionId, nowMs)
      if (repeated) return { repeated: repeated.completion_id }
    }
    const asked = newMessages(prompt.messages)
    const language = detectLanguage(userText(asked)) ?? prompt.language
    const wish = { ...prompt, language }
    // Statements that do not need each other's answers are sent together: on PostgreSQL they take one round trip.
    const [agent, found] = await Promise.all([
      readAgent(db, owner.agentId),
      findOrOpen(db, owner, wish, nowMs),
    ])
    const { conversation, opened } = found
    const messages = opened ? prompt.messages : asked
    if (asked.length === 0) {
      throw invalidField('messages', 'there is no prompt after the last assistant message.')
    }
    const history = opened ? NO_HISTORY : await readHistory(db, conversation.id, agent.settings.history_limit)
    const ofTurn = { agentId: owner.agentId, conversationId: conversation.id, completionId, createdAt }
    const newRows = messages.map(({ role, content, tool_calls, tool_call_id, name }) => ({
      ...ofTurn,
      role,
      content,
      toolCalls: tool_calls,
      toolCallId: tool_call_id,
      author: name,
    }))
    const writer = writerOf(prompt, conversation)
    const paused = agent.isPaused || conversation.agent_paused === 1
    const startsToWait = paused && conversation.waiting_since === null
    if (startsToWait) await lockConversation(db, conversation.id)
    const [events, [completion], messageIds] = await Promise.all([
      eventsOfVisit(db, found, wish, nowMs, completionId),
      insertCompletion(db, {
        id: completionId,
        agent_id: owner.agentId,
        conversation_id: conversation.id,
        channel_id: prompt.channelId,
        ...writer,
        device_id: prompt.deviceId,
        session_id: prompt.sessionId,
        page_url: prompt.pageUrl,
        language: messages.length === asked.length ? language : detectLanguage(userText(messages)),
        created_at: createdAt,
        model: modelOf(agent),
        holder,
      }),
      appendMessages(db, newRows),
    ])
    if (!completion) throw new Error('a new completion was not returned')
    if (startsToWait) await waitForPerson(db, conversation.id, 'paused', createdAt, byUser)
    await raise(db, ...events, {
      key: 'prompt_submit',
      agent_id: owner.agentId,
      occurred_at: createdAt,
      conversation_id: conversation.id,
      completion_id: completionId,
    })
    const userIsNew = events.some(({ key }) => key === 'new_user')
    const turn: StartedTurn = {
      completionId,
      number: completion.number,
      conversationId: conversation.id,
      createdAt,
      agent: inLanguage(agent, conversation.language ?? language),
      writer,
      history: withRequestSystem(history, prompt.messages, messages),
      messages,
      messageIds,
      paused,
      place: { ...placeOf(conversation, prompt.channelId), pageUrl: prompt.pageUrl, userIsNew },
    }
    await hooks.started(db, turn)
    return turn
  })
}

/**
 * Finds the end user of a prompt: the one that it names, or else that of its conversation. Only a user of the API is
 * proven then: what the site sends to a chat of a widget or a channel does not prove that the person there wrote it.
 */
function writerOf({ user }: Prompt, conversation: ConversationRow): StartedTurn['writer'] {
  if (user) return { user_id: user.key, proven_id: user.provenId }
  const user_id = userOfConversation(conversation)
  const isOfApi = user_id !== null && sourceOfKey(user_id) === 'api'
  return { user_id, proven_id: isOfApi ? idOfKey(user_id) : null }
}

/** Replaces the stored system messages with those of the request, because clients send them with every request. */
export function withRequestSystem(history: History, sent: ModelMessage[], kept: ModelMessage[]): History {
  const system = sent.filter((message) => message.role === 'system')
  if (system.length === 0) return history
  const unsent = system.filter((message) => !kept.includes(message))
  const spoken = history.messages.filter((message) => message.role !== 'system')
  return { ...history, messages: [...unsent, ...spoken] }
}
