import type { Kysely } from 'kysely'
import { bySystem } from '../../audit/record.ts'
import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { nextClocks, RECOUNTS, recountQueue, writeRecount } from '../../targets/store.ts'
import type { RecountRow } from '../../targets/tables.ts'
import { moveClocks } from '../../transcripts/conversations/clocks.ts'
import { addHappening } from '../../transcripts/conversations/happenings.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { leaveOutOf } from '../../work/leave-out.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'

const AT_ONCE = 2
const BATCH = 100

/** Counts the open clocks of agents anew whose hours or targets have changed, a conversation a transaction. */
export function runRecounts(dependencies: QueueDependencies): RunningWork {
  const { database, clock, logger } = dependencies
  const { db } = database
  return runQueue<RecountRow>(
    {
      name: 'target_recounts',
      queue: recountQueue,
      topics: [RECOUNTS],
      atOnce: AT_ONCE,
      async work(row, lease, stop) {
        // After a failure they are counted one by one, so that the one that fails is the first.
        const limit = row.attempts + row.deaths === 0 ? BATCH : 1
        const isLeftOut = leaveOutOf(row, logger)
        const { agent_id } = row
        for (let after_id = row.after_id; !stop.asked.aborted; ) {
          const batch = await nextClocks(db, { agent_id, after_id }, limit)
          const ids = batch.map(({ conversation_id }) => conversation_id)
          const leftOut = ids
            .slice(0, 1)
            .filter((conversation_id) => isLeftOut({ agent_id, conversation_id }))
          for (const conversation_id of ids.slice(leftOut.length))
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
            for (const id of leftOut) await tellLeftOut(db, agent_id, id, timestamp(clock()))
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

/** Tells on the timeline and by an event that the targets of a conversation stay as they were counted before. */
async function tellLeftOut(
  db: Kysely<Tables>,
  agent_id: number,
  conversation_id: string,
  at: string,
): Promise<void> {
  const details = { code: 'targets_not_counted' }
  await addHappening(db, { agent_id, conversation_id, kind: 'failed', by: bySystem.actor, at, details })
  await raise(db, { key: 'error', agent_id, conversation_id, occurred_at: at, data: details })
}
