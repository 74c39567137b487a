import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Platform } from '../platforms/platform.ts'
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
  return personUntil(platforms[mailbox.kind], mailbox.writable_until)
}

/**
 * Returns the time until which a platform delivers what people write; null when there is no limit.
 * @param writableUntil the same for what the agent writes
 */
export function personUntil(
  { replyWindowMs, personWindowMs }: Pick<Platform, 'replyWindowMs' | 'personWindowMs'>,
  writableUntil: string,
): string | null {
  if (replyWindowMs === null || personWindowMs === null) return null
  return timestamp(Date.parse(writableUntil) - replyWindowMs + personWindowMs)
}

/** Tells whether what the agent says in a conversation reaches its user now: it has no channel, or one that takes it. */
export async function isWritable(db: Kysely<Tables>, conversationId: string, now: string): Promise<boolean> {
  const mailbox = await db
    .selectFrom('mailboxes')
    .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select(['channels.active', 'mailboxes.writable_until'])
    .where('mailboxes.conversation_id', '=', conversationId)
    .executeTakeFirst()
  return !mailbox || (mailbox.active === 1 && mailbox.writable_until > now)
}

/** Refuses what a person writes when the platform would not deliver it. @throws ApiError window_closed */
export async function refuseIfWindowClosed(
  db: Kysely<Tables>,
  conversationId: string,
  now: string,
): Promise<void> {
  const until = await replyUntil(db, conversationId)
  if (until !== null && until <= now) throw new ApiError('window_closed')
}
