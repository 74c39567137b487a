import { type Kysely, sql } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { leasesOf } from '../../work/lease.ts'
import type { KnowledgeCalibrationsRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for agents whose documents have changed since they were measured. */
export const CALIBRATIONS = 'calibrations'

/** Due at once. */
const NOW = '1970-01-01T00:00:00.000Z'

export const calibrationLeases = leasesOf('knowledge_calibrations', { countsAttempts: true })

/** Notes that passages of an agent are about to change. An agent that is due already stays due when it is. */
export async function calibrationChanges(db: Db, agentId: number): Promise<void> {
  await db
    .insertInto('knowledge_calibrations')
    .values({ agent_id: agentId, changes: 1, due_at: NOW })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet(({ eb, ref, fn, val }) => ({
        changes: eb(ref('knowledge_calibrations.changes'), '+', 1),
        due_at: fn.coalesce(ref('knowledge_calibrations.due_at'), val(NOW)),
      })),
    )
    .execute()
  wake(db, CALIBRATIONS)
}

export async function claimCalibrations(
  db: Db,
  claim: { holder: string; nowMs: number; limit: number },
): Promise<KnowledgeCalibrationsRow[]> {
  const due = db
    .selectFrom('knowledge_calibrations')
    .select('id')
    .where('due_at', '<=', timestamp(claim.nowMs))
    .orderBy('due_at')
  return calibrationLeases.claim(db, due, claim)
}

/** When the next agent is due. */
export async function nextCalibrationDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('knowledge_calibrations')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/**
 * Keeps what was measured.
 * @param againAt when the agent is measured again if its passages have changed meanwhile
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
      attempts: 0,
      due_at: sql<string | null>`case when changes = ${changes} then null else ${againAt} end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Has an agent that could not be measured wait. */
export async function postponeCalibration(db: Db, id: number, dueAt: string): Promise<void> {
  await db.updateTable('knowledge_calibrations').set({ due_at: dueAt }).where('id', '=', id).execute()
}

/** The next passages of an agent that searches find, in the order of their ids. */
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
