import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { parkedMessagesOf } from './parked-messages-of.ts'

/** Finds the channels of an agent on which a person with this id has a chat, or has parked messages. */
export async function channelsOfPerson(db: Kysely<Tables>, agentId: number, id: string): Promise<number[]> {
  const chats = await db
    .selectFrom('mailboxes')
    .leftJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select(['mailboxes.channel_id', 'channels.kind'])
    .where('mailboxes.agent_id', '=', agentId)
    .where('mailboxes.thread', '=', id)
    .execute()
  const channels = await db.selectFrom('channels').select('id').where('agent_id', '=', agentId).execute()
  const parked = await parkedMessagesOf(
    db,
    agentId,
    channels.map(({ id }) => id),
    id,
  )
  return [
    ...new Set([...chats.filter(({ kind }) => isChatOfPerson(kind)), ...parked].map((row) => row.channel_id)),
  ]
}

/** Tells whether a channel names its chats after the person in them. A helpdesk numbers its conversations. */
export function isChatOfPerson(kind: string | null): boolean {
  return kind !== 'helpdesk'
}
