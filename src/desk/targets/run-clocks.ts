import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import { CLOCKS, clockQueue } from '../../targets/store.ts'
import type { ClockRow } from '../../targets/tables.ts'
import { moveClocks } from '../../transcripts/conversations/clocks.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'

const AT_ONCE = 8

/** Notes targets as missed when they are due, unless the hours have changed so that they are not. */
export function runClocks(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  return runQueue<ClockRow>(
    {
      name: 'targets',
      queue: clockQueue,
      topics: [CLOCKS],
      atOnce: AT_ONCE,
      async work(row) {
        await database.db.transaction().execute(async (db) => {
          const conversation = await lockConversation(db, row.conversation_id)
          await clockQueue.end(db, row)
          await moveClocks(db, conversation, timestamp(clock()), 'hours')
        })
      },
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}
