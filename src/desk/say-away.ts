import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { awayText } from '../agents/away-text.ts'
import { inConversation } from '../agents/in-conversation.ts'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { opensAt } from '../lib/hours/hours.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { AWAY, awayQueue, settleAway } from '../transcripts/conversations/away-store.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { placeOf } from '../transcripts/conversations/place.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import type { AwayMessageRow, ConversationRow } from '../transcripts/tables.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'

const AT_ONCE = 8
const FOR_EVER = '9999-12-31T23:59:59.999Z'

/**
 * Tells users whose conversations begin to wait that nobody is there, and when somebody will be: once for each time
 * between two shifts.
 */
export function runAway(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  return runQueue<AwayMessageRow>(
    {
      name: 'away messages',
      queue: awayQueue,
      topics: [AWAY],
      atOnce: AT_ONCE,
      async work(row) {
        await database.db.transaction().execute(async (db) => {
          await lockMailboxOf(db, { conversation_id: row.conversation_id })
          const conversation = await lockConversation(db, row.conversation_id)
          await awayQueue.end(db, row)
          const nowMs = clock()
          const isTold = row.told_until !== null && row.told_until > timestamp(nowMs)
          const isWaiting = conversation.waiting_since !== null
          const until = isTold || !isWaiting ? undefined : await sayAway(db, conversation, nowMs)
          await settleAway(db, row.id, until)
        })
      },
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/** Says that nobody is there, unless somebody is. Returns until when that was said; undefined: it was not. */
async function sayAway(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  nowMs: number,
): Promise<string | undefined> {
  const { id, agent_id, channel_id, user_id } = conversation
  const place = placeOf(conversation, channel_id, user_id)
  const occasion = await readOccasion(db, agent_id, place, { user_id, proven_id: null }, nowMs)
  const { settings } = inConversation(await readAgent(db, agent_id), occasion)
  const content = awayText(settings, occasion.language, nowMs)
  if (content === null) return undefined
  const now = timestamp(nowMs)
  const messageId = await appendMessage(db, {
    agentId: agent_id,
    conversationId: id,
    completionId: null,
    role: 'transition',
    content,
    createdAt: now,
  })
  await queueMessage(db, id, messageId, now)
  const opens = settings.hours && opensAt(settings.hours, nowMs)
  return opens === null ? FOR_EVER : timestamp(opens)
}
