import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import { inConversation } from '../agents/in-conversation.ts'
import { invalidField } from '../errors.ts'
import { raise } from '../events/raise.ts'
import { attachFiles } from '../files/attach-files.ts'
import { type Idempotency, keepKey } from '../idempotency/repeats.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import type { ModelMessage } from '../model/model.ts'
import { filesInWords } from '../redaction/files-of-message.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import { insertCompletion } from '../transcripts/completions/store.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { byUser, HAPPENINGS } from '../transcripts/conversations/happenings.ts'
import { occasionAt } from '../transcripts/conversations/occasion.ts'
import {
  type ConversationWish,
  comeBack,
  type FoundConversation,
  findOrOpen,
  knownUserOf,
  visitIn,
} from '../transcripts/conversations/open-conversation.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { endSilence } from '../transcripts/conversations/silence-store.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessages } from '../transcripts/messages/append-message.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { type KnownUser, selectKnownUser } from '../users/known-users.ts'
import { idOfKey, sourceOfKey, type UserKey, userOfConversation } from '../users/user-key.ts'
import { withFiles } from './files/with-files.ts'
import { type History, NO_HISTORY, readHistory } from './history/read-history.ts'
import { newMessages, type Prompt } from './prompt.ts'
import { userText } from './prompt-text.ts'
import { conversationAfter } from './responses/follow-response.ts'
import type { StartedTurn } from './turn.ts'
import type { Repeated, TurnStore } from './turn-store.ts'

/** The input of a turn. */
interface TurnStart {
  owner: Owner
  prompt: Prompt
  idempotency: Idempotency | null
  modelOf: (agent: Agent) => string
  /** The process that is going to answer. */
  holder: string
  nowMs: number
}

/** A turn whose rows are not stored yet. */
type NewTurn = Pick<
  StartedTurn,
  'completionId' | 'conversationId' | 'createdAt' | 'agent' | 'writer' | 'messages' | 'paused'
>

/**
 * Stores a prompt with all that comes with it, in one transaction, before any model is asked.
 * @throws ApiError conversation_not_found, external_id_taken, idempotency_key_reused, invalid_request,
 * previous_response_not_found, response_not_latest
 */
export async function startTurn(
  db: Kysely<Tables>,
  start: TurnStart,
  store: TurnStore,
): Promise<StartedTurn | Repeated> {
  return db.transaction().execute((db) => store.start(db, () => storeStart(db, start)))
}

async function storeStart(db: Kysely<Tables>, start: TurnStart): Promise<StartedTurn | Repeated> {
  const { owner, prompt, idempotency, nowMs } = start
  const completionId = uuidv7(nowMs)
  if (idempotency) {
    const repeated = await keepKey(db, owner.agentId, idempotency, completionId, nowMs)
    if (repeated) return { repeated: repeated.completion_id }
  }
  const asked = newMessages(prompt.messages)
  const language = detectLanguage(userText(asked)) ?? prompt.language
  const conversationId = prompt.follows
    ? await conversationAfter(db, owner, prompt.follows)
    : prompt.conversationId
  const wish = { ...prompt, conversationId, language }
  // Statements that do not need each other's answers are sent together: on PostgreSQL they take one round trip.
  const [agent, found, known] = await Promise.all([
    readAgent(db, owner.agentId),
    findOrOpen(db, owner, wish, nowMs),
    knownUserOf(db, owner, prompt),
  ])
  if (asked.length === 0) {
    throw invalidField('messages', 'there is no prompt after the last assistant message.')
  }
  const { conversation, opened } = found
  const messages = opened ? prompt.messages : asked
  const history = opened ? NO_HISTORY : await readHistory(db, conversation.id, agent.settings.history_limit)
  const writer = writerOf(prompt, conversation)
  const place = { completionId, conversationId: conversation.id, createdAt: timestamp(nowMs) }
  const paused = agent.isPaused || conversation.agent_paused === 1
  const turn = { ...place, agent, writer, messages, paused }
  const { number, messageIds, user, userIsNew } = await storePrompt(db, start, turn, found, wish, known)
  const origin = promptOrigin(conversation, prompt.channelId, writer.user_id)
  const occasion = occasionAt({ ...origin, language: origin.language ?? language }, writer, user, nowMs)
  const blocked = isBlockedUser(user)
  const files = messages.map((message) => prompt.files?.get(message) ?? null)
  return {
    ...place,
    number,
    takenUpAt: null,
    agent: inConversation(agent, occasion),
    writer,
    origin: { ...origin, pageUrl: prompt.pageUrl, userIsNew },
    occasion,
    history: withRequestSystem(history, prompt, messages),
    messages: messages.map((message, at) => ({
      ...message,
      content: withFiles(message.content, files[at] ?? null),
    })),
    messageIds,
    attachments: files,
    paused: paused || blocked,
    blocked,
  }
}

/** Stores the rows and the events of a prompt whose conversation was found or opened. */
async function storePrompt(
  db: Kysely<Tables>,
  { owner: { agentId }, prompt, modelOf, holder, nowMs }: TurnStart,
  { completionId, conversationId, createdAt, agent, writer, messages, paused }: NewTurn,
  found: FoundConversation,
  wish: ConversationWish,
  known: KnownUser | null,
): Promise<Pick<StartedTurn, 'number' | 'messageIds'> & { user: KnownUser | null; userIsNew: boolean }> {
  const isOnlyPrompt = messages.length === newMessages(messages).length
  const readsUser = prompt.user === null && writer.user_id !== null
  const [locked, visit, [user], [completion], messageIds] = await Promise.all([
    // The lock makes a concurrent end or snooze of the conversation either wait for this prompt or be visible here.
    found.opened ? found.conversation : lockConversation(db, conversationId),
    visitIn(db, found, wish, known, nowMs, completionId),
    readsUser ? selectKnownUser(db, { agent_id: agentId, id: writer.user_id as UserKey }) : [],
    insertCompletion(db, {
      id: completionId,
      agent_id: agentId,
      conversation_id: conversationId,
      channel_id: prompt.channelId,
      ...writer,
      device_id: prompt.deviceId,
      session_id: prompt.sessionId,
      page_url: prompt.pageUrl,
      language: isOnlyPrompt ? wish.language : detectLanguage(userText(messages)),
      created_at: createdAt,
      model: modelOf(agent),
      holder,
    }),
    appendMessages(
      db,
      messages.map((message) => ({
        agentId,
        conversationId,
        completionId,
        createdAt,
        role: message.role,
        content: message.content,
        toolCalls: message.tool_calls,
        toolCallId: message.tool_call_id,
        author: message.name,
        attachments: prompt.files?.get(message),
        kind: kindOf(message, prompt.files?.get(message)),
      })),
    ),
  ])
  for (const [at, message] of messages.entries())
    await attachFiles(db, prompt.files?.get(message) ?? [], { id: messageIds[at] ?? 0, conversationId })
  if (!completion) throw new Error('a new completion was not returned')
  const writtenBy = user ?? visit.user
  // The person who has the conversation is told of the message.
  if (locked.assignee_id !== null) wake(db, HAPPENINGS, 'here')
  await comeBack(db, locked, writer.user_id, createdAt)
  if (agent.settings.inactivity.policy !== 'wait') await endSilence(db, conversationId)
  if (paused && locked.waiting_since === null && !isBlockedUser(writtenBy))
    await waitForPerson(db, conversationId, 'paused', createdAt, byUser)
  await raise(db, ...visit.events, {
    key: 'prompt_submit',
    agent_id: agentId,
    occurred_at: createdAt,
    conversation_id: conversationId,
    completion_id: completionId,
  })
  return {
    number: completion.number,
    messageIds,
    user: writtenBy,
    userIsNew: visit.events.some(({ key }) => key === 'new_user'),
  }
}

function isBlockedUser(user: KnownUser | null): boolean {
  return user !== null && user.blocked_at !== null
}

/** Returns the kind of a message that says nothing but which files it has: that of the first. */
function kindOf({ content }: ModelMessage, files: readonly Attachment[] = []): string | undefined {
  const kinds = files.map(({ kind }) => kind)
  return content === filesInWords(kinds) ? kinds[0] : undefined
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

/**
 * Replaces the stored system messages with those of the request, because clients send them with every request, with the
 * request's instructions before them.
 */
export function withRequestSystem(
  history: History,
  { messages: sent, instructions }: Pick<Prompt, 'messages' | 'instructions'>,
  kept: ModelMessage[],
): History {
  const own: ModelMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  const system = sent.filter((message) => message.role === 'system')
  if (system.length === 0) return { ...history, messages: [...own, ...history.messages] }
  const unsent = system.filter((message) => !kept.includes(message))
  const spoken = history.messages.filter((message) => message.role !== 'system')
  return { ...history, messages: [...own, ...unsent, ...spoken] }
}
