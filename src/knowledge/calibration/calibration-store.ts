import { type Kysely, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { wantedAt } from '../../work/work-columns.ts'
import type { KnowledgeCalibrationsRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for agents whose documents have changed since they were measured. */
export const CALIBRATIONS = 'calibrations'

/** A due time that is always past. */
const NOW = '1970-01-01T00:00:00.000Z'

export const calibrationQueue = queueOf('knowledge_calibrations', byAgent)

/** Notes that passages of an agent are about to change. An agent that is due already keeps its time. */
export async function calibrationChanges(db: Db, agentId: number): Promise<void> {
  await db
    .insertInto('knowledge_calibrations')
    .values({ agent_id: agentId, changes: 1, due_at: NOW })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet(({ eb, ref }) => ({
        changes: eb(ref('knowledge_calibrations.changes'), '+', 1),
        ...wantedAt('knowledge_calibrations', NOW),
      })),
    )
    .execute()
  wake(db, CALIBRATIONS)
}

/** Returns a number that rises whenever passages of an agent change. */
export async function countChanges(db: Db, agentId: number): Promise<number> {
  const row = await db
    .selectFrom('knowledge_calibrations')
    .select('changes')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.changes ?? 0
}

/**
 * Stores a measured threshold.
 * @param againAt the time at which the agent is measured again if its passages have changed meanwhile
 */
export async function settleCalibration(
  db: Db,
  { id, changes }: KnowledgeCalibrationsRow,
  measured: { threshold: number | null; asked: number; at: string },
  againAt: string,
): Promise<void> {
  await db
    .updateTable('knowledge_calibrations')
    .set({
      threshold: measured.threshold,
      asked: measured.asked,
      measured_at: measured.at,
      measured_changes: changes,
      due_at: sql<string | null>`case when changes = ${changes} then null else ${againAt} end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Reads the next of an agent's passages that searches find, in the order of their ids. */
export async function visibleAfter(
  db: Db,
  agentId: number,
  after: number,
  limit: number,
): Promise<{ id: number; document_id: number; heading: string }[]> {
  return db
    .selectFrom('knowledge_passages')
    .select(['id', 'document_id', 'heading'])
    .where('agent_id', '=', agentId)
    .where('id', '>', after)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('knowledge_hidden').select('passage_id').where('agent_id', '=', agentId),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}
