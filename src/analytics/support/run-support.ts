import type { Kysely } from 'kysely'
import type { Database } from '../../storage/opened-database.ts'
import type { Tables } from '../../storage/tables.ts'
import { type RunningWork, runWork, type WorkDependencies } from '../../work/run-work.ts'
import { countPending } from './count-support.ts'

interface Dependencies extends WorkDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
}

const EVERY_MS = 1000

/** Counts for the figures of support what has changed in conversations. Agents take turns, a part each. */
export function runSupport({ database, ...others }: Dependencies): RunningWork {
  const { db, engine } = database
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
      async work(agentId) {
        await countPending({ db, engine }, agentId)
      },
      about: (agentId) => ({ agent_id: agentId }),
    },
    { ...others, database },
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
