import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { record, type TeamBy } from './record.ts'

/** Records a change of a shared row. Changes of rows that people keep for themselves are not recorded. */
export async function recordShared(
  db: Kysely<Tables>,
  noun: 'macro' | 'view',
  verb: 'added' | 'changed' | 'removed',
  { id, agent_id, operator_id }: { id: number; agent_id: number; operator_id: number | null },
  at: string,
  by: TeamBy,
): Promise<void> {
  if (operator_id !== null) return
  await record(db, { ...by, agentId: agent_id, at, action: `${noun}.${verb}`, target: `${noun} ${id}` })
}
