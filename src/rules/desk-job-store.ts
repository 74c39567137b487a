import { type Kysely, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import { queueOf } from '../work/queue.ts'
import type { DeskJobRow } from './tables.ts'

type Db = Kysely<Tables>

export const deskQueue = queueOf('desk_jobs', {
  ...byAgent,
  open: sql<boolean>`state = 'waiting'`,
  reopened: { state: 'waiting' },
})

/** Writes fields of a job. The caller holds its lease. */
export async function updateDeskJob(
  db: Db,
  id: number,
  values: Partial<Pick<DeskJobRow, 'runs' | 'state' | 'due_at'>>,
): Promise<void> {
  await db.updateTable('desk_jobs').set(values).where('id', '=', id).execute()
}

/** Reads the progress of all jobs that go back to one cause. The conversation that they are about is locked. */
export async function selectRunsOfCause(db: Db, cause: string): Promise<Pick<DeskJobRow, 'id' | 'runs'>[]> {
  return db.selectFrom('desk_jobs').select(['id', 'runs']).where('cause', '=', cause).execute()
}
