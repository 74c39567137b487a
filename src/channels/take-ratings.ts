import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { updateItems } from '../mailboxes/items.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { byUser } from '../transcripts/conversations/happenings.ts'
import { rateConversation } from '../transcripts/conversations/rate.ts'
import { lastRatingRequest } from '../transcripts/conversations/rating-requests.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { isBlocked } from '../users/known-users.ts'
import type { Channel } from './channel.ts'
import type { ChannelWork } from './channel-work.ts'
import { type InboundMessage, readMessage, writerOfMessage } from './inbound-message.ts'
import { acknowledgePress } from './press.ts'
import { readScore, readScoreButton } from './score.ts'
import { TAKEN } from './taken.ts'

/** The time in which a score answers the question for it. */
const ANSWERED_MS = 7 * DAY_MS
const LONGEST_COMMENT = 10_000

interface Answer {
  item: MailboxItemRow
  message: InboundMessage
  score: number
  comment: string | null
  /** The message whose button was pressed; null: the score was written. */
  messageId: number | null
}

/**
 * Takes out of a batch the messages that rate the conversation, as its user was asked to: they are no prompts. A button
 * rates it even after something else was said, a written score only while it has ended. The press of a button that no
 * longer counts is taken out, too, because it is no question to the agent.
 * @returns true if any were taken out, so that the remaining items must be chosen anew
 */
export async function takeRatings(tools: ChannelWork, channel: Channel, batch: Batch): Promise<boolean> {
  const { clock } = tools
  const { lease, mailbox, items } = batch
  const answers = items.flatMap((item) => answerIn(item, channel))
  if (answers.length === 0) return false
  const taken = await lease.transaction(async (db) => {
    const now = clock()
    const given = await thoseThatCount(db, channel, mailbox, answers, now)
    const { conversation_id: id, agent_id } = mailbox
    const last = given.at(-1)
    if (last && id !== null) {
      const { score, comment } = last
      await rateConversation(db, { id, agent_id }, { score, comment }, timestamp(now), byUser)
    }
    const taken = answers.filter((answer) => answer.messageId !== null || given.includes(answer))
    const ids = taken.map(({ item }) => item.id)
    if (ids.length > 0) await updateItems(db, ids, { ...TAKEN, finished_at: timestamp(now) })
    return taken
  })
  for (const { item, messageId } of taken) if (messageId !== null) acknowledgePress(tools, channel, item)
  return taken.length > 0
}

function answerIn(item: MailboxItemRow, { platform }: Channel): Answer[] {
  if (item.payload === null || item.completion_id !== null) return []
  const message = readMessage(item.payload)
  if (message.leave === 'alone') return []
  const button = message.pressed === undefined ? null : readScoreButton(message.pressed)
  if (button) return [{ item, message, comment: null, ...button }]
  if (message.kind !== 'text') return []
  // In a mail, a comment or a signature follows the line with the score.
  const [first = '', ...more] = platform.hasSubjects ? message.text.trim().split('\n') : [message.text]
  const score = readScore(first)
  const comment = more.join('\n').trim().slice(0, LONGEST_COMMENT) || null
  return score === null ? [] : [{ item, message, score, comment, messageId: null }]
}

/** Returns the answers that rate the conversation, which it locks. */
async function thoseThatCount(
  db: Kysely<Tables>,
  channel: Channel,
  mailbox: Batch['mailbox'],
  answers: readonly Answer[],
  nowMs: number,
): Promise<Answer[]> {
  const { conversation_id: id, unseen_ms } = mailbox
  const request = id === null || unseen_ms !== null ? undefined : await lastRatingRequest(db, id)
  if (id === null || !request || request.asked_at < timestamp(nowMs - ANSWERED_MS)) return []
  const { ended_at } = await lockConversation(db, id)
  const kept: Answer[] = []
  for (const answer of answers) {
    const { messageId } = answer
    const fits = messageId === null ? ended_at !== null : messageId === request.message_id
    if (!fits) continue
    const { key } = writerOfMessage(channel, mailbox, answer.message)
    if (!(await isBlocked(db, channel.agentId, key))) kept.push(answer)
  }
  return kept
}
