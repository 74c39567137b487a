import type { Kysely } from 'kysely'
import type { LogRow } from '../events/change-log.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import { workEach } from '../lib/pacing/work-each.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { type Audience, type LiveEvent, readEvents } from './read-events.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUnavailable' | 'isLocked'>
  logger: { warn(about: { error: FailureDescription; change: number }, message: string): void }
}

/**
 * Reads the events of rows of the log. A row whose events cannot be read is left out, so that it holds up no other.
 * @throws an error of a database that is away, or that others have locked
 */
export async function readableEvents(
  { db, engine, logger }: Dependencies,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<LiveEvent[]> {
  const isOfDatabase = (error: unknown) => engine.isUnavailable(error) || engine.isLocked(error)
  try {
    return await readEvents(db, rows, audience)
  } catch (error) {
    if (isOfDatabase(error)) throw error
  }
  const events: LiveEvent[] = []
  await workEach(rows, async (row) => events.push(...(await readEvents(db, [row], audience))), {
    failed(row, error) {
      if (isOfDatabase(error)) throw error
      logger.warn({ change: row.id, error: describeFailure(error) }, 'live streams leave out a change')
    },
  })
  return events
}
