import { QUEUES } from '../../groups/queues-topic.ts'
import { assigningGroups } from '../../groups/store.ts'
import type { GroupRow } from '../../groups/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import type { Database } from '../../storage/opened-database.ts'
import { type LookLoop, type LookLoopOptions, lookLoop } from '../../work/look-loop.ts'
import { assignNext } from './assign-next.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'wakeUps'>
  clock: Clock
  logger: LookLoopOptions['logger']
}

/**
 * Gives the conversations that wait in groups to people who are free. It keeps nothing by itself: each look reads who
 * waits and who is free, so that nothing is lost with a process.
 */
export function runAssignment({ database, clock, logger }: Dependencies): LookLoop {
  const { db, wakeUps } = database
  return lookLoop(
    { name: 'conversations to assign', wakeUps, logger, frequentTopics: [QUEUES] },
    async (stopping) => {
      let groups = await assigningGroups(db)
      // One of each group in turn, so that none waits for a long queue of another.
      while (groups.length > 0 && !stopping.aborted) {
        const further: GroupRow[] = []
        for (const group of groups) if (await assign(group)) further.push(group)
        groups = further
      }
    },
  )

  async function assign(group: GroupRow): Promise<boolean> {
    try {
      return await assignNext({ db, clock }, group)
    } catch (error) {
      logger.warn(
        { error: describeFailure(error) },
        `nobody could be given a conversation of group ${group.id}`,
      )
      return false
    }
  }
}
