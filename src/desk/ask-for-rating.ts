import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { isWritable } from '../mailboxes/reply-until.ts'
import type { Tables } from '../storage/tables.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { lastRatingRequest, noteRatingRequest } from '../transcripts/conversations/rating-requests.ts'
import { timeOfLastMessage } from '../transcripts/messages/find-message.ts'
import { sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { askForRatingIn } from './rating-words.ts'

/** The days after a user's last message in which they still know what is asked about. */
const FRESH_DAYS = 7
/** A chat of a channel goes on in one conversation, which may end often. */
const DAYS_BETWEEN = 30

/**
 * Asks the user of a channel's conversation that ends for a rating, where the agent does so and the platform takes it.
 * @param db a transaction that holds the mailbox of the conversation, and the conversation
 */
export async function askForRating(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  now: string,
): Promise<void> {
  const { id, agent_id, channel_id, user_id, language } = conversation
  if (channel_id === null || promptOrigin(conversation, channel_id, user_id).isGroup) return
  if (!(await readAgent(db, agent_id)).settings.ask_rating) return
  const before = (days: number) => timestamp(Date.parse(now) - days * DAY_MS)
  const saidAt = await timeOfLastMessage(db, id, 'user')
  if (saidAt === null || saidAt < before(FRESH_DAYS)) return
  const asked = await lastRatingRequest(db, id)
  if (asked && asked.asked_at > before(DAYS_BETWEEN)) return
  if (!(await isWritable(db, id, now))) return
  const question = { role: 'transition', content: askForRatingIn(language) } as const
  const message_id = await sayAsAgent(db, conversation, question, now)
  await noteRatingRequest(db, id, { agent_id, message_id, asked_at: now })
}
