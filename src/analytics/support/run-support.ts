import type { Kysely } from 'kysely'
import { raise } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import { type RunningWork, runTogether, runWork } from '../../work/run-work.ts'
import { countPending, countRetry } from './count-support.ts'
import { retryQueue, SUPPORT_RETRIES } from './retry-store.ts'
import type { SupportRetryRow } from './tables.ts'

const EVERY_MS = 1000
const RETRIES_AT_ONCE = 2

/** Counts for the figures of support what has changed in conversations. */
export function runSupport(dependencies: QueueDependencies): RunningWork {
  return runTogether([runPending(dependencies), runRetries(dependencies)])
}

/** Counts many changes at once. Agents take turns, a part each. */
function runPending(dependencies: QueueDependencies): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  /** The agent whose turn was last. */
  let last = 0
  return runWork<number>(
    {
      name: 'figures of support',
      everyMs: EVERY_MS,
      atOnce: 1,
      async claim() {
        const next = (await agentAfter(db, last)) ?? (await agentAfter(db, 0))
        last = next ?? 0
        return next === null ? [] : [next]
      },
      work: (agentId) => countPending(database, agentId, clock()),
      about: (agentId) => ({ agent_id: agentId }),
    },
    dependencies,
  )
}

/** Counts single conversations. One that cannot be counted is parked until it changes. */
function runRetries(dependencies: QueueDependencies): RunningWork {
  const { database } = dependencies
  return runQueue<SupportRetryRow>(
    {
      name: 'support_figures',
      queue: retryQueue,
      topics: [SUPPORT_RETRIES],
      atOnce: RETRIES_AT_ONCE,
      work: (row) => countRetry(database, row),
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/** Finds the first agent after another whose conversations have changed; null: there is none. */
async function agentAfter(db: Kysely<Tables>, agentId: number): Promise<number | null> {
  const { next } = await db
    .selectFrom('support_pending')
    .select(({ fn }) => fn.min('agent_id').as('next'))
    .where('agent_id', '>', agentId)
    .executeTakeFirstOrThrow()
  return next
}
