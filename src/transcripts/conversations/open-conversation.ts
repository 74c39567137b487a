import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import { parsePart } from '../../http/schemas.ts'
import { timestamp } from '../../lib/clock.ts'
import { uuidTime, uuidv7After } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { changed } from '../changes.ts'
import type { ConversationRow } from '../tables.ts'
import { recordVisit, type Visit } from '../users/record-visit.ts'
import { findByExternalId, findById, isHidden, type Owner } from './find-conversation.ts'
import { merged } from './merge-tags.ts'
import { tagsSchema } from './schemas.ts'
import {
  advanceCounter,
  insertConversation,
  lockConversation,
  lockCounter,
  nameUserOfPrompts,
  updateConversation,
} from './store.ts'

/** Which conversation something belongs to, who comes with it, and what it brings along. */
export interface ConversationWish extends Visit {
  /** Ours: it must exist. */
  conversationId: string | null
  /** The caller's: found or made. */
  externalId: string | null
  /** The channel it comes through; null: the API. */
  channelId: number | null
  tags: Record<string, unknown> | null
}

/**
 * Finds a conversation or opens one, within the caller's transaction, and raises what is new: the user, the device, the
 * session, the conversation. Tags are merged, and a prompt to an ended conversation opens it again: a customer who comes
 * back is never turned away.
 * @param completionId of the prompt; null: it is opened for something else
 * @throws ApiError conversation_not_found; external_id_taken when another agent of the team has the external id;
 * invalid_request when there would be too many tags, and for an external id that is a conversation's UUID
 */
export async function openConversation(
  db: Kysely<Tables>,
  owner: Owner,
  wish: ConversationWish,
  completionId: string | null,
  now: number,
): Promise<{ conversation: ConversationRow; opened: boolean; userIsNew: boolean }> {
  const { conversation, opened } = await findOrInsert(db, owner, wish, now)
  const context = {
    agent_id: owner.agentId,
    occurred_at: timestamp(now),
    conversation_id: conversation.id,
    ...(completionId === null ? {} : { completion_id: completionId }),
  }
  const events = await recordVisit(db, wish, context)
  if (opened) events.push({ ...context, key: 'new_conversation' })
  if (events.length > 0) await raise(db, ...events)
  return { conversation, opened, userIsNew: events.some(({ key }) => key === 'new_user') }
}

async function findOrInsert(db: Kysely<Tables>, owner: Owner, wish: ConversationWish, now: number) {
  const found = await findWished(db, owner, wish)
  if (found) return { conversation: await refresh(db, found, wish), opened: false }

  const counter = await lockCounter(db, owner.agentId)
  // Who waited for the lock may find that another prompt has just opened the conversation.
  const raced = await findWished(db, owner, wish)
  if (raced) return { conversation: await refresh(db, raced, wish), opened: false }

  const id = uuidv7After(counter.last_conversation_id, now)
  const sequence = counter.conversations + 1
  const [conversation] = await insertConversation(db, {
    id,
    agent_id: owner.agentId,
    team_id: owner.teamId,
    sequence,
    external_id: wish.externalId,
    user_id: wish.userId,
    channel_id: wish.channelId,
    tags: wish.tags && JSON.stringify(wish.tags),
    // The id's own time: (started_at, id) and the sequence then always agree, whatever the clocks do.
    started_at: timestamp(uuidTime(id)),
  })
  if (!conversation) throw new ApiError('external_id_taken', { param: 'external_id' })
  changed(db, { type: 'conversation', agent_id: owner.agentId, conversation_id: id })
  await advanceCounter(db, { agent_id: owner.agentId, conversations: sequence, last_conversation_id: id })
  return { conversation, opened: true }
}

async function findWished(db: Kysely<Tables>, owner: Owner, wish: ConversationWish) {
  if (wish.conversationId !== null) {
    const found = await findById(db, owner, wish.conversationId)
    if (!found || isHidden(found, owner))
      throw new ApiError('conversation_not_found', { param: 'conversation_id' })
    return found
  }
  if (wish.externalId === null) return undefined
  const found = await findByExternalId(db, owner, wish.externalId)
  if (found && found.agent_id !== owner.agentId)
    throw new ApiError('external_id_taken', { param: 'external_id' })
  if (found && isHidden(found, owner)) throw new ApiError('conversation_not_found', { param: 'external_id' })
  // A conversation of this external id could not be addressed: the path would name the other one.
  if (!found && (await findById(db, owner, wish.externalId)))
    throw invalidField('external_id', 'is the UUID of a conversation: send it as conversation_id')
  return found
}

async function refresh(
  db: Kysely<Tables>,
  found: ConversationRow,
  wish: ConversationWish,
): Promise<ConversationRow> {
  const mayNameUser = found.user_id === null && wish.userId !== null
  if (!wish.tags && !mayNameUser && found.ended_at === null) return found
  const { tags, user_id } = await lockConversation(db, found.id)
  // Another prompt may have named one meanwhile.
  const namesUser = user_id === null && wish.userId !== null
  if (namesUser) await nameUserOfPrompts(db, found.id, wish.userId)
  return updateConversation(db, found.id, {
    ended_at: null,
    ...(namesUser ? { user_id: wish.userId } : {}),
    ...(wish.tags ? { tags: JSON.stringify(parsePart(tagsSchema, merged(tags, wish.tags), 'tags')) } : {}),
  })
}
