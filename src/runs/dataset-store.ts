import { type Kysely, sql } from 'kysely'
import { countRows } from '../storage/count-rows.ts'
import { lockedRowOfAgent, pageOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { DatasetRow } from './tables.ts'

type Db = Kysely<Tables>

/** A dataset with the number of its cases. */
export type CountedDataset = DatasetRow & { cases: number }

const CASES = sql<
  number | string
>`(select count(*) from dataset_cases where dataset_cases.dataset_id = datasets.id)`

export const selectDatasetsPage = pageOfAgent((db) =>
  db.selectFrom('datasets').selectAll().select(CASES.as('cases')),
)

export async function selectDataset(
  db: Db,
  agentId: number,
  id: number,
): Promise<CountedDataset | undefined> {
  const row = await db
    .selectFrom('datasets')
    .selectAll()
    .select(CASES.as('cases'))
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row && { ...row, cases: Number(row.cases) }
}

/**
 * Finds the datasets that a name or an id on the command line may mean, of one agent or of all. It returns at most two,
 * which is enough to see that the name is ambiguous.
 */
export async function selectDatasetsNamed(
  db: Db,
  name: string,
  agentId: number | null,
): Promise<DatasetRow[]> {
  const id = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : null
  return db
    .selectFrom('datasets')
    .selectAll()
    .$if(agentId !== null, (query) => query.where('agent_id', '=', agentId ?? 0))
    .where((where) => (id === null ? where('name', '=', name) : where('id', '=', id)))
    .orderBy('id')
    .limit(2)
    .execute()
}

/** Reads a dataset and keeps others from changing it until the transaction ends. */
export const lockDataset = lockedRowOfAgent((db) => db.selectFrom('datasets').selectAll())

export function countDatasets(db: Db, agentId: number): Promise<number> {
  return countRows(db.selectFrom('datasets').where('agent_id', '=', agentId))
}

export async function insertDataset(db: Db, row: Omit<DatasetRow, 'id'>): Promise<DatasetRow> {
  return db.insertInto('datasets').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateDataset(
  db: Db,
  id: number,
  values: Partial<Pick<DatasetRow, 'name' | 'updated_at'>>,
): Promise<void> {
  await db.updateTable('datasets').set(values).where('id', '=', id).execute()
}

export async function deleteDataset(db: Db, id: number): Promise<void> {
  await db.deleteFrom('datasets').where('id', '=', id).execute()
}
