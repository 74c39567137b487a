import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../../errors.ts'
import { changed } from '../../events/changes.ts'
import { raise } from '../../events/raise.ts'
import { parsePart } from '../../http/schemas.ts'
import { timestamp } from '../../lib/clock.ts'
import { uuidTime, uuidv7After } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { isBlocked, type KnownUser, selectKnownUser } from '../../users/known-users.ts'
import { sourceOfConversation, sourceOfKey, type UserKey, userOfConversation } from '../../users/user-key.ts'
import type { Writer } from '../../users/writer.ts'
import type { ConversationRow } from '../tables.ts'
import { findByExternalId, findById, isHidden, type Owner } from './find-conversation.ts'
import { byUser } from './happenings.ts'
import { mergeTags } from './merge-tags.ts'
import { notEnded } from './outcome.ts'
import { NORMAL } from './priority.ts'
import { isExternalIdOfChat } from './prompt-origin.ts'
import { type RecordedVisit, recordVisit, type Visit } from './record-visit.ts'
import { reopenLocked } from './reopen-conversation.ts'
import { tagsSchema } from './schemas.ts'
import { unsnoozeLocked } from './snooze.ts'
import {
  advanceCounter,
  insertConversation,
  lockConversation,
  lockCounter,
  nameUserOfPrompts,
  selectByExternalId,
  updateConversation,
  updateTags,
} from './store.ts'
import { indexTags } from './tag-index.ts'
import { newestOfVisitor } from './visitor-conversations.ts'

/** The topic of wake-ups, in the same process, for conversations that were opened. */
export const OPENED = 'opened conversations'

/** The conversation that a caller asks for, the visitor, and what is to be stored with it. */
export interface ConversationWish extends Visit {
  /** Parley's id of a conversation that must exist. */
  conversationId: string | null
  /** The caller's id. If no conversation has it, one is opened. */
  externalId: string | null
  /** The external id that a conversation gets if it is opened, in place of `externalId`, which then names its chat. */
  newExternalId?: string | undefined
  /** The channel it comes through; null: the API. */
  channelId: number | null
  /** The widget it comes through: the end user's newest conversation in it continues, unless it has ended. */
  widgetId: number | null
  tags: Record<string, unknown> | null
  /** The language of the prompt; null: it is unknown, or there is no prompt. */
  language: string | null
}

/** A conversation that was found or opened. */
export interface FoundConversation {
  conversation: ConversationRow
  opened: boolean
}

/**
 * Finds a conversation or opens one, within the caller's transaction. Raises events for a new user, device, session and
 * conversation. Merges tags. A prompt to an ended conversation opens it again, and brings back one that was snoozed.
 * The conversations of a blocked user stay ended.
 * @throws ApiError conversation_not_found; external_id_taken if another agent of the team has the external id;
 * invalid_request if there would be too many tags, or if the external id is a conversation's UUID
 */
export async function openConversation(
  db: Kysely<Tables>,
  owner: Owner,
  wish: ConversationWish,
  nowMs: number,
): Promise<FoundConversation> {
  const found = await findOrOpen(db, owner, wish, nowMs)
  const { events } = await visitIn(db, found, wish, await knownUserOf(db, owner, wish), nowMs)
  if (events.length > 0) await raise(db, ...events)
  return found
}

/**
 * Finds a conversation or opens one as `openConversation` does, for a caller that calls `visitIn` itself and raises its
 * events with others of the transaction.
 */
export async function findOrOpen(
  db: Kysely<Tables>,
  owner: Owner,
  wish: ConversationWish,
  nowMs: number,
): Promise<FoundConversation> {
  const found = await findWished(db, owner, wish)
  if (found) return { conversation: await refresh(db, found, wish, nowMs), opened: false }

  const [counter, blocked] = await Promise.all([
    lockCounter(db, owner.agentId),
    isBlocked(db, owner.agentId, wish.user?.key ?? null),
  ])
  // Another prompt may have opened the conversation while this one waited for the lock.
  const raced = await findWished(db, owner, wish)
  if (raced) return { conversation: await refresh(db, raced, wish, nowMs), opened: false }

  const id = uuidv7After(counter.last_conversation_id, nowMs)
  const startedAt = timestamp(uuidTime(id))
  const conversation: ConversationRow = {
    id,
    agent_id: owner.agentId,
    team_id: owner.teamId,
    sequence: counter.conversations + 1,
    external_id: wish.newExternalId ?? wish.externalId,
    chat: wish.newExternalId === undefined ? null : wish.externalId,
    user_id: wish.user?.key ?? null,
    channel_id: wish.channelId,
    widget_id: wish.widgetId,
    tags: wish.tags && JSON.stringify(wish.tags),
    language: wish.language,
    // Uses the time of the id, so that the orders by (started_at, id) and by sequence agree even when clocks
    // do not.
    started_at: startedAt,
    ...notEnded,
    ended_at: blocked ? startedAt : null,
    agent_paused: 0,
    agent_paused_at: null,
    agent_resumed_at: null,
    waiting_since: null,
    waiting_reason: null,
    assignee_id: null,
    group_id: null,
    priority: NORMAL,
    snoozed_until: null,
    due_at: null,
  }
  await insertConversation(db, [conversation])
  await refuseTakenId(db, conversation)
  if (wish.tags) await indexTags(db, conversation, null, wish.tags)
  changed(db, { type: 'conversation', agent_id: owner.agentId, conversation_id: id, fields: ['started_at'] })
  const { agent_id, sequence } = conversation
  await advanceCounter(db, { agent_id, conversations: sequence, last_conversation_id: id })
  wake(db, OPENED, 'here')
  return { conversation, opened: true }
}

/** Reads what is known of a visitor; null: nothing yet, or nobody is named. */
export async function knownUserOf(
  db: Kysely<Tables>,
  { agentId }: Pick<Owner, 'agentId'>,
  { user }: Pick<Visit, 'user'>,
): Promise<KnownUser | null> {
  const [known = null] = user ? await selectKnownUser(db, { agent_id: agentId, id: user.key }) : []
  return known
}

/**
 * Records the visitor of a conversation; the events are those of a new user, device, session and conversation.
 * @param known what is known of the visitor; null: nothing yet
 * @param completionId of the prompt; absent: the conversation was opened for something else
 */
export async function visitIn(
  db: Kysely<Tables>,
  { conversation, opened }: FoundConversation,
  visit: Visit,
  known: KnownUser | null,
  nowMs: number,
  completionId?: string,
): Promise<RecordedVisit> {
  const context = {
    agent_id: conversation.agent_id,
    occurred_at: timestamp(nowMs),
    conversation_id: conversation.id,
    ...(completionId === undefined ? {} : { completion_id: completionId }),
  }
  const { user, events } = await recordVisit(db, visit, known, context)
  return { user, events: opened ? [...events, { ...context, key: 'new_conversation' }] : events }
}

/** Refuses a conversation that was not inserted because another one of the team has its external id. */
async function refuseTakenId(
  db: Kysely<Tables>,
  { id, team_id, external_id }: ConversationRow,
): Promise<void> {
  if (external_id === null) return
  const [kept] = await selectByExternalId(db, { team_id, external_id })
  if (kept?.id !== id) throw new ApiError('external_id_taken', { param: 'external_id' })
}

async function findWished(db: Kysely<Tables>, owner: Owner, wish: ConversationWish) {
  if (wish.conversationId !== null) {
    const found = await findById(db, owner, wish.conversationId)
    if (!found || isHidden(found, owner))
      throw new ApiError('conversation_not_found', { param: 'conversation_id' })
    return found
  }
  if (wish.widgetId !== null && wish.user !== null) {
    const newest = await newestOfVisitor(db, { widgetId: wish.widgetId, userKey: wish.user.key })
    if (!newest || newest.ended_at === null) return newest
    return (await isBlocked(db, owner.agentId, wish.user.key)) ? newest : undefined
  }
  if (wish.externalId === null) return undefined
  const found = await findByExternalId(db, owner, wish.externalId)
  if (found && found.agent_id !== owner.agentId)
    throw new ApiError('external_id_taken', { param: 'external_id' })
  if (found && isHidden(found, owner)) throw new ApiError('conversation_not_found', { param: 'external_id' })
  if (found) return found
  const id = wish.newExternalId ?? wish.externalId
  // The chat on the channel would continue in this conversation, which the caller could read.
  if ((owner.right === 'chat' || wish.newExternalId !== undefined) && isExternalIdOfChat(id))
    throw invalidField('external_id', 'has the form of a chat on a channel')
  // A new conversation with this external id could not be addressed: its path would lead to the other one.
  if (await findById(db, owner, id))
    throw invalidField('external_id', 'is the UUID of a conversation: send it as conversation_id')
  return undefined
}

/**
 * Opens a locked conversation again that has ended, and brings one back that was put aside: its user has written. Those
 * of a blocked writer stay as they are.
 */
export async function comeBack(
  db: Kysely<Tables>,
  locked: ConversationRow,
  writer: UserKey | null,
  now: string,
): Promise<void> {
  if (locked.ended_at === null && locked.snoozed_until === null) return
  if (await isBlocked(db, locked.agent_id, writer)) return
  await reopenLocked(db, locked, now, { actor: byUser })
  if (locked.snoozed_until !== null) await unsnoozeLocked(db, locked, 'replied', now, byUser)
}

async function refresh(
  db: Kysely<Tables>,
  found: ConversationRow,
  wish: ConversationWish,
  nowMs: number,
): Promise<ConversationRow> {
  const user = wish.user && mayBeUser(wish.user, found) ? wish.user : null
  const mayNameUser = found.user_id === null && user !== null
  const language = wish.language === found.language ? null : wish.language
  const isOpen = found.ended_at === null && found.snoozed_until === null
  if (!wish.tags && !mayNameUser && !language && isOpen) return found
  const locked = await lockConversation(db, found.id)
  const { tags, user_id } = locked
  // Another prompt may have named a user meanwhile.
  const named = user_id === null ? user : null
  if (named) await nameUserOfPrompts(db, found.id, named.key)
  await comeBack(db, locked, wish.user?.key ?? userOfConversation(found), timestamp(nowMs))
  if (wish.tags) await updateTags(db, locked, parsePart(tagsSchema, mergeTags(tags, wish.tags), 'tags'))
  const values = { ...(language ? { language } : {}), ...(named ? { user_id: named.key } : {}) }
  if (Object.keys(values).length > 0) return updateConversation(db, found.id, values)
  return lockConversation(db, found.id)
}

/**
 * Tells whether a writer can be the user of a conversation. The API does not name the users of channels and widgets.
 */
function mayBeUser(user: Writer, conversation: ConversationRow): boolean {
  return sourceOfKey(user.key) !== 'api' || sourceOfConversation(conversation) === 'api'
}
