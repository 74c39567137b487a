import { bySystem } from '../../audit/record.ts'
import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import { unsnoozeLocked } from '../../transcripts/conversations/snooze.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import { markUnread } from '../mark-read.ts'
import type { SnoozeRow } from '../tables.ts'
import { cancelReturn, SNOOZES, snoozeQueue } from './store.ts'

const AT_ONCE = 8

/** Brings conversations back when the time comes until which they were put aside: open, and unread for everybody. */
export function runSnoozes(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  return runQueue<SnoozeRow>(
    {
      name: 'snoozes',
      queue: snoozeQueue,
      topics: [SNOOZES],
      atOnce: AT_ONCE,
      async work(row) {
        await database.db.transaction().execute(async (db) => {
          const conversation = await lockConversation(db, row.conversation_id)
          await snoozeQueue.end(db, row)
          // It may have come back before, with a message of its user.
          if (conversation.snoozed_until !== null) {
            await unsnoozeLocked(db, conversation, 'due', timestamp(clock()), bySystem.actor)
            await markUnread(db, conversation)
          }
          await cancelReturn(db, row.conversation_id)
        })
      },
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}
