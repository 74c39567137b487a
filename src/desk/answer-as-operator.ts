import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { attachFiles, filesToSend } from '../files/attach-files.ts'
import { requireTaken } from '../files/require-taken.ts'
import { personOf } from '../http/operator-of.ts'
import { findRepeated, type Idempotency, keepKey } from '../idempotency/repeats.ts'
import { nameMessage } from '../idempotency/store.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { timestamp } from '../lib/clock.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import { refuseIfWindowClosed } from '../mailboxes/reply-until.ts'
import type { TemplateFile, TemplateUse } from '../platforms/template.ts'
import { filesInWords } from '../redaction/files-of-message.ts'
import type { Tables } from '../storage/tables.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { Doer, HappeningActor } from '../transcripts/conversations/happenings.ts'
import { latestCompletion } from '../transcripts/conversations/latest-completion.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { moveConversation } from '../transcripts/conversations/move-conversation.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { refuseIfBlocked, reopenLocked } from '../transcripts/conversations/reopen-conversation.ts'
import { lockConversation, noLongerWaiting } from '../transcripts/conversations/store.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { findMessage, timeOfLastMessage } from '../transcripts/messages/find-message.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import { refuseIfMoved } from '../transcripts/messages/refuse-if-moved.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'
import type { LockAssignee } from './assign.ts'
import { discardDraft } from './drafts.ts'
import { setReadMark } from './mark-read.ts'
import { changeConversationPause, lockTaker, takeFor } from './pause-conversation.ts'
import { keepTranslation } from './translations.ts'

interface AnswerText {
  /** Null: it has only files. */
  content: string | null
  author?: string | undefined
  files?: readonly Attachment[]
  /** The template that it is sent as. */
  template?: TemplateUse | undefined
}

/** The words of a person in a conversation. */
export interface PersonsWords extends Omit<AnswerText, 'files'> {
  /** The ids of its files. */
  attachments: readonly string[]
  /** The kind of the file that its template has; null or absent: none. */
  templateFile?: TemplateFile | null
}

interface OperatorAnswer extends PersonsWords {
  /** True if a model suggested it. */
  suggested?: boolean | undefined
  /** The writer's own words, if it is a translation of them. */
  original?: string | undefined
  /** Id of the last message that the writer saw; undefined: the answer is stored whatever came since. */
  after?: number | undefined
  /** Null: a repeat of the request is another answer. */
  idempotency: Idempotency | null
}

/** The parts of the service that an answer of a person needs. */
export interface Desk {
  lockAssignee: LockAssignee
  lessons: Lessons
  /** True if links to this service work from outside. */
  hasPublicUrl: boolean
}

/**
 * Stores an operator's answer, which takes the conversation over: the agent is paused in it until it is resumed. An
 * unassigned conversation is assigned to the operator, and an ended one opens again. The answer goes out through the
 * conversation's channel.
 * @returns the message, and whether an earlier request with the same key has made it
 * @throws ApiError conversation_moved, idempotency_key_reused, user_blocked; window_closed if its channel takes no text now;
 *   invalid_request for files that cannot be sent
 */
export async function answerAsOperator(
  db: Kysely<Tables>,
  { lockAssignee, lessons, hasPublicUrl }: Desk,
  conversation: ConversationRow,
  answer: OperatorAnswer,
  nowMs: number,
  by: TeamBy,
): Promise<{ message: MessageRow; isRepeated: boolean }> {
  const now = timestamp(nowMs)
  const { agent_id } = conversation
  const { idempotency, template } = answer
  return db.transaction().execute(async (db) => {
    const earlier = idempotency && (await keepKey(db, agent_id, idempotency, null, nowMs))
    if (earlier)
      return { message: await answerWithId(db, conversation.id, earlier.message_id), isRepeated: true }
    await lockMailboxOf(db, { conversation_id: conversation.id })
    if (answer.after !== undefined) await refuseIfMoved(db, conversation.id, answer.after)
    const id = await answerLocked(db, { lockAssignee, lessons, hasPublicUrl }, conversation, answer, now, by)
    await recordAuthorship(db, conversation, id, answer, now, by)
    // A template is not made from the draft, which therefore stays.
    if (!template) await discardDraft(db, conversation, 'reply', by.actor, now)
    if (idempotency) await nameMessage(db, agent_id, idempotency.key, id)
    return { message: await answerWithId(db, conversation.id, id), isRepeated: false }
  })
}

/**
 * Answers as `answerAsOperator` does, within a transaction that has locked the conversation's mailbox. The draft stays.
 * @returns the message's id
 * @throws ApiError user_blocked, window_closed, before anything is written; invalid_request for files that cannot be sent
 */
export async function answerLocked(
  db: Kysely<Tables>,
  { lockAssignee, lessons, hasPublicUrl }: Desk,
  conversation: Pick<ConversationRow, 'id' | 'agent_id' | 'channel_id'>,
  words: PersonsWords,
  now: string,
  by: { actor: HappeningActor; teamId: number },
): Promise<number> {
  if (!words.template) await refuseIfWindowClosed(db, conversation.id, now)
  const taker = await lockTaker(db, lockAssignee, by)
  await refuseIfBlocked(db, await lockConversation(db, conversation.id))
  const id = await sendOperatorMessage(db, conversation, words, { takesOver: true, hasPublicUrl }, now, by)
  await takeFor(db, await lockConversation(db, conversation.id), taker, now, by)
  await postHandOver(db, conversation.id, 'hand_over', now)
  await lessons.handedOff(db, conversation)
  return id
}

/**
 * Stores what a person says and queues it for the conversation's channel, within a transaction that has locked its
 * mailbox.
 * @param takesOver whether the agent is paused in the conversation; hasPublicUrl: links to this service work from outside
 * @returns the message's id
 * @throws ApiError invalid_request for files that cannot be sent
 */
export async function sendOperatorMessage(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id' | 'channel_id'>,
  words: PersonsWords,
  { takesOver, hasPublicUrl }: { takesOver: boolean; hasPublicUrl: boolean },
  now: string,
  by: Doer,
): Promise<number> {
  await requireTaken(db, conversation, words, hasPublicUrl, now)
  const files = await filesToSend(db, conversation, words.attachments, now)
  const id = await storeOperatorMessage(db, conversation, { ...words, files }, now, by, { takesOver })
  const { actor } = by
  // Anyone who answers has read the messages before the answer.
  if (actor.kind === 'operator' && actor.id !== null) await setReadMark(db, conversation, actor.id, id)
  await queueMessage(db, conversation.id, id, now)
  await attachFiles(db, files, { id, conversationId: conversation.id })
  return id
}

/** Finds what an earlier request with the same key has answered; null: nothing yet. @throws ApiError idempotency_key_reused */
export async function answeredBefore(
  db: Kysely<Tables>,
  { id, agent_id }: ConversationRow,
  idempotency: Idempotency,
  nowMs: number,
): Promise<{ message: MessageRow; isRepeated: true } | null> {
  const earlier = await findRepeated(db, agent_id, idempotency, nowMs)
  return earlier && { message: await answerWithId(db, id, earlier.message_id), isRepeated: true }
}

async function answerWithId(
  db: Kysely<Tables>,
  conversationId: string,
  id: number | null,
): Promise<MessageRow> {
  const message = id === null ? undefined : await findMessage(db, conversationId, id)
  if (!message) throw new ApiError('idempotency_key_reused')
  return message
}

/** Keeps the original of a translated answer, and records that a model suggested an answer. */
async function recordAuthorship(
  db: Kysely<Tables>,
  { id: conversation_id, agent_id }: ConversationRow,
  message_id: number,
  { suggested, original }: OperatorAnswer,
  now: string,
  by: TeamBy,
): Promise<void> {
  if (original !== undefined)
    await keepTranslation(db, {
      agent_id,
      conversation_id,
      message_id,
      language: detectLanguage(original) ?? 'und',
      content: original,
      is_original: 1,
      created_at: now,
    })
  if (!suggested) return
  const target = `conversation ${conversation_id}`
  const details = { message_id }
  await record(db, { ...by, agentId: agent_id, at: now, action: 'suggestion.sent', target, details })
}

/**
 * Stores what a person says, within a transaction, without sending it: it may have been said on the channel's own
 * platform. Returns the message's id.
 */
export async function storeOperatorMessage(
  db: Kysely<Tables>,
  conversation: Pick<ConversationRow, 'id' | 'agent_id'>,
  answer: AnswerText,
  now: string,
  by: Doer,
  { takesOver } = { takesOver: true },
): Promise<number> {
  await lockConversation(db, conversation.id)
  const completionId = await latestCompletion(db, conversation.id)
  const { content, files = [], template } = answer
  const kinds = files.map(({ kind }) => kind)
  if (takesOver) await takeOver(db, conversation.id, now, by)
  return appendMessage(db, {
    agentId: conversation.agent_id,
    conversationId: conversation.id,
    completionId,
    role: 'operator',
    content: content ?? filesInWords(kinds),
    kind: content === null ? kinds[0] : undefined,
    attachments: files,
    template,
    author: answer.author,
    operatorId: personOf(by),
    createdAt: await notBeforeTheLast(db, conversation.id, now),
  })
}

/**
 * Returns the time of an answer, at the earliest that of the last message. Another message may have been stored while
 * the answer waited for the lock.
 */
async function notBeforeTheLast(db: Kysely<Tables>, conversationId: string, now: string): Promise<string> {
  const last = await timeOfLastMessage(db, conversationId)
  return last !== null && last > now ? last : now
}

/**
 * Takes a conversation over for people, within a transaction: the agent is paused in it, it no longer waits, and it
 * opens again if it had ended.
 */
export async function takeOver(
  db: Kysely<Tables>,
  conversationId: string,
  now: string,
  by: Doer,
): Promise<ConversationRow> {
  const paused = await changeConversationPause(db, conversationId, true, now, by, 'answered')
  const conversation = await reopenLocked(db, paused, now, by)
  if (conversation.waiting_since === null) return conversation
  return moveConversation(db, conversationId, noLongerWaiting(conversation), now)
}
