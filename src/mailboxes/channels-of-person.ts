import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { parkedMessagesOf } from './parked-messages-of.ts'

/** Finds the channels of an agent on which people with these ids have a chat, or have parked messages. */
export async function channelsOfPeople(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly string[],
): Promise<{ id: string; channelId: number }[]> {
  if (ids.length === 0) return []
  const chats = await db
    .selectFrom('mailboxes')
    .leftJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select(['mailboxes.thread', 'mailboxes.channel_id', 'channels.kind'])
    .where('mailboxes.agent_id', '=', agentId)
    .where('mailboxes.thread', 'in', ids)
    .execute()
  const channels = await db.selectFrom('channels').select('id').where('agent_id', '=', agentId).execute()
  const parked = await parkedMessagesOf(
    db,
    agentId,
    channels.map(({ id }) => id),
    ids,
  )
  return [
    ...chats
      .filter(({ kind }) => isChatOfPerson(kind))
      .map((chat) => ({ id: chat.thread, channelId: chat.channel_id })),
    ...parked.map(({ writer, channel_id }) => ({ id: writer, channelId: channel_id })),
  ]
}

/** Tells whether a channel names its chats after the person in them. A helpdesk numbers its conversations. */
export function isChatOfPerson(kind: string | null): boolean {
  return kind !== 'helpdesk'
}
