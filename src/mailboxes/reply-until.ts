import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { isPlatformKind, platforms } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'

/**
 * Returns the time until which the platform of a conversation delivers a person's answers, as a timestamp.
 * @returns null when there is no limit, or no channel
 */
export async function replyUntil(db: Kysely<Tables>, conversationId: string): Promise<string | null> {
  const mailbox = await db
    .selectFrom('mailboxes')
    .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select(['channels.kind', 'mailboxes.writable_until'])
    .where('mailboxes.conversation_id', '=', conversationId)
    .executeTakeFirst()
  if (!mailbox || !isPlatformKind(mailbox.kind)) return null
  const { replyWindowMs, personWindowMs } = platforms[mailbox.kind]
  if (replyWindowMs === null || personWindowMs === null) return null
  return timestamp(Date.parse(mailbox.writable_until) - replyWindowMs + personWindowMs)
}
