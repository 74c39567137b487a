import type { Kysely } from 'kysely'
import type { Flag } from '../../storage/flag.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

type Db = Kysely<Tables>

export async function insertCalls(
  db: Db,
  rows: { agent_id: number; completion_id: string; message_id: number; position: number; idempotent: Flag }[],
): Promise<number[]> {
  const inserted = await db
    .insertInto('tool_calls')
    .values(rows.map((row) => ({ ...row, state: 'sending' as const })))
    .returning(['id', 'position'])
    .execute()
  return inserted.sort((one, other) => one.position - other.position).map(({ id }) => id)
}

/**
 * Ends calls that are still under way.
 * @returns their ids
 */
export async function settleCalls(
  db: Db,
  ids: readonly number[],
  state: 'done' | 'unknown',
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('tool_calls')
    .set({ state })
    .where('id', 'in', ids)
    .where('state', '=', 'sending')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Reads the calls of a completion, in the order in which they were made. */
export const selectCalls = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db
    .selectFrom('tool_calls')
    .select(['id', 'message_id', 'position', 'idempotent', 'state'])
    .where('completion_id', '=', param('completion_id'))
    .orderBy('id'),
)
