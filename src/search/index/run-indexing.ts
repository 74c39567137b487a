import { CHANGES } from '../../events/changes.ts'
import type { Database } from '../../storage/opened-database.ts'
import { type RunningWork, runWork, type WorkDependencies } from '../../work/run-work.ts'
import { indexPart, MOST_WAITING } from './index-pending.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { agentsWithPending } from './store.ts'

interface Dependencies extends WorkDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
  texts: SearchedTexts
}

/** The interval at which it checks whether this process has written enough to look for agents with waiting texts. */
const EVERY_MS = 1000
/** The interval at which it looks in any case, because other processes write too. */
const AT_LEAST_EVERY_MS = 10_000

/** Indexes the texts of agents that have many waiting. They take turns, a part each. */
export function runIndexing({ texts, ...dependencies }: Dependencies): RunningWork {
  const { database, logger } = dependencies
  const { db, engine, wakeUps } = database
  const due = new Set<number>()
  const passedOver = new Set<string>()
  /** The number of this process's transactions with changes since the last look, and the time of that look. */
  let changes = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  const unlisten = wakeUps.listen(CHANGES, () => changes++)

  async function look(): Promise<void> {
    if (changes < MOST_WAITING && performance.now() - lookedAt < AT_LEAST_EVERY_MS) return
    changes = 0
    lookedAt = performance.now()
    for (const agentId of await agentsWithPending(db, MOST_WAITING)) due.add(agentId)
  }

  const running = runWork<number>(
    {
      name: 'texts to be indexed',
      everyMs: EVERY_MS,
      atOnce: 1,
      async claim(limit) {
        await look()
        const claimed = [...due].slice(0, limit)
        for (const agentId of claimed) due.delete(agentId)
        return claimed
      },
      async work(agentId, stop) {
        const isMore = await indexPart({ db, engine, texts, logger }, agentId, stop.asked, passedOver)
        if (isMore) due.add(agentId)
      },
      about: (agentId) => ({ agent_id: agentId }),
    },
    dependencies,
  )
  return {
    ...running,
    stop(limitMs) {
      unlisten()
      return running.stop(limitMs)
    },
  }
}
