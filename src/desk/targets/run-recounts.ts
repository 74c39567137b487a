import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import { nextClocks, RECOUNTS, recountQueue, writeRecount } from '../../targets/store.ts'
import type { RecountRow } from '../../targets/tables.ts'
import { moveClocks } from '../../transcripts/conversations/clocks.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { LEFT_OUT_AFTER } from '../../work/retry.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'

const AT_ONCE = 2
const BATCH = 100

/** Counts the open clocks of agents anew whose hours or targets have changed, a conversation a transaction. */
export function runRecounts(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  return runQueue<RecountRow>(
    {
      name: 'recounts of targets',
      queue: recountQueue,
      topics: [RECOUNTS],
      atOnce: AT_ONCE,
      async work(row, lease, stop) {
        const failures = row.attempts + row.deaths
        // After a failure they are counted one by one, so that the one that fails is the first.
        const limit = failures === 0 ? BATCH : 1
        let isHopeless = failures >= LEFT_OUT_AFTER
        for (let after_id = row.after_id; !stop.asked.aborted; ) {
          const batch = await nextClocks(db, { agent_id: row.agent_id, after_id }, limit)
          const ids = isHopeless ? [] : batch.map(({ conversation_id }) => conversation_id)
          isHopeless = false
          for (const conversation_id of new Set(ids))
            await db.transaction().execute(async (db) => {
              const conversation = await lockConversation(db, conversation_id)
              await moveClocks(db, conversation, timestamp(clock()), row.reason)
            })
          const last = batch.at(-1)?.id
          await db.transaction().execute(async (db) => {
            if (last === undefined) await recountQueue.end(db, row)
            else {
              await lease.hold(db)
              await recountQueue.progress(db, row)
            }
            await writeRecount(db, row.id, last === undefined ? { due_at: null } : { after_id: last })
          })
          if (last === undefined) return
          after_id = last
        }
      },
      raise,
      about: ({ agent_id }) => ({ agent_id }),
    },
    dependencies,
  )
}
