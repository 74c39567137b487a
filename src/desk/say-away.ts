import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { awayNotice } from '../agents/away-text.ts'
import { inConversation } from '../agents/in-conversation.ts'
import { raise } from '../events/raise.ts'
import { LATEST, timestamp } from '../lib/clock.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { AWAY, awayQueue, settleAway } from '../transcripts/conversations/away-store.ts'
import { hoursOf } from '../transcripts/conversations/hours-of.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import type { AwayMessageRow, ConversationRow } from '../transcripts/tables.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'

const AT_ONCE = 8

/**
 * Sends the away message to users whose conversations begin to wait outside opening hours, once for each period between
 * two shifts.
 */
export function runAway(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  return runQueue<AwayMessageRow>(
    {
      name: 'away_messages',
      queue: awayQueue,
      topics: [AWAY],
      atOnce: AT_ONCE,
      async work(row) {
        await database.db.transaction().execute(async (db) => {
          await lockMailboxOf(db, { conversation_id: row.conversation_id })
          const conversation = await lockConversation(db, row.conversation_id)
          await awayQueue.end(db, row)
          const isWaiting = conversation.waiting_since !== null
          const until = isWaiting ? await sayAway(db, conversation, row.told_until, clock()) : null
          await settleAway(db, row.id, until)
        })
      },
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/**
 * Sends the away message, unless somebody is there or it was already sent in this period.
 * @returns the end of the period for which it was sent; null: it never was
 */
async function sayAway(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  toldUntil: string | null,
  nowMs: number,
): Promise<string | null> {
  const { agent_id, channel_id, user_id } = conversation
  const origin = promptOrigin(conversation, channel_id, user_id)
  const occasion = await readOccasion(db, agent_id, origin, { user_id, proven_id: null }, nowMs)
  const { settings } = inConversation(await readAgent(db, agent_id), occasion)
  const hours = await hoursOf(db, conversation, settings.hours)
  const notice = awayNotice({ ...settings, hours }, occasion.language, nowMs)
  if (notice === null) return toldUntil
  const until = notice.opens === null ? LATEST : timestamp(notice.opens)
  if (until === toldUntil) return toldUntil
  const { content } = notice
  await sayAsAgent(db, conversation, { role: 'transition', content }, timestamp(nowMs))
  return until
}
