import { QUEUES } from '../../groups/queues-topic.ts'
import { assigningGroups } from '../../groups/store.ts'
import type { Clock } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import { workEach } from '../../lib/pacing/work-each.ts'
import type { Database } from '../../storage/opened-database.ts'
import { type LookLoop, type LookLoopOptions, lookLoop } from '../../work/look-loop.ts'
import { assignNext } from './assign-next.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
  clock: Clock
  logger: LookLoopOptions['logger']
}

/**
 * Gives the conversations that wait in groups to people who are free. It keeps nothing by itself: each look reads who
 * waits and who is free, so that nothing is lost with a process.
 */
export function runAssignment({ database, clock, logger }: Dependencies): LookLoop {
  const { db, engine, wakeUps } = database
  const tools = { db, engine, clock, putOff: new Map<string, number>() }
  return lookLoop(
    { name: 'conversations to assign', wakeUps, logger, frequentTopics: [QUEUES] },
    async (stopping) => {
      // One of each group in turn, so that none waits for a long queue of another.
      await workEach(await assigningGroups(db), (group) => assignNext(tools, group), {
        signal: stopping,
        failed: ({ id }, error) =>
          logger.warn(
            { error: describeFailure(error) },
            `nobody could be given a conversation of group ${id}`,
          ),
      })
    },
  )
}
