import type { Kysely } from 'kysely'
import { requireRoom } from '../agents/require-room.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr } from '../errors.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteCases } from './case-store.ts'
import {
  type CountedDataset,
  countDatasets,
  deleteDataset,
  insertDataset,
  lockDataset,
  selectDataset,
  updateDataset,
} from './dataset-store.ts'
import { eraseRun } from './erase-run.ts'
import { selectOlderRuns } from './run-store.ts'
import type { DatasetRow } from './tables.ts'

type Db = Kysely<Tables>

const AT_ONCE = 100

/** @throws ApiError dataset_not_found */
export async function findDataset(db: Db, agentId: number, id: number): Promise<CountedDataset> {
  return foundOr(await selectDataset(db, agentId, id), 'dataset_not_found')
}

/** Finds a dataset by the `{id}` of a path. @throws ApiError dataset_not_found */
export async function readDataset(db: Db, agentId: number, id: string): Promise<CountedDataset> {
  return findDataset(db, agentId, rowId(id))
}

/** @throws ApiError too_many_datasets */
export async function createDataset(
  db: Db,
  agentId: number,
  { name }: { name: string },
  now: string,
  by: TeamBy,
): Promise<CountedDataset> {
  return db.transaction().execute(async (db) => {
    await requireRoom(db, agentId, 'datasets', () => countDatasets(db, agentId))
    const row = await insertDataset(db, { agent_id: agentId, name, created_at: now, updated_at: now })
    await recordDataset(db, row, 'added', now, by)
    return { ...row, cases: 0 }
  })
}

/** @throws ApiError dataset_not_found, version_outdated */
export async function changeDataset(
  db: Db,
  agentId: number,
  id: string,
  { name, version }: { name?: string | undefined; version?: string | undefined },
  now: string,
  by: TeamBy,
): Promise<CountedDataset> {
  return db.transaction().execute(async (db) => {
    const row = foundOr(await lockDataset(db, agentId, rowId(id)), 'dataset_not_found')
    refuseOutdated(version, datasetVersion(row))
    await updateDataset(db, row.id, { ...(name === undefined ? {} : { name }), updated_at: now })
    await recordDataset(db, row, 'changed', now, by)
    return findDataset(db, agentId, row.id)
  })
}

/**
 * Deletes a dataset with its cases and runs, these in short transactions. If that is broken off in between, the dataset
 * still exists, with fewer of them.
 * @throws ApiError dataset_not_found
 */
export async function removeDataset(
  db: Db,
  agentId: number,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  const { id: datasetId } = await readDataset(db, agentId, id)
  for (const run of await selectOlderRuns(db, datasetId, 0)) await eraseRun(db, run.id)
  const deleteSome = () =>
    db.transaction().execute(async (db) => deleteCases(db, datasetId, { limit: AT_ONCE }))
  while ((await deleteSome()) === AT_ONCE);
  await db.transaction().execute(async (db) => {
    const row = foundOr(await lockDataset(db, agentId, datasetId), 'dataset_not_found')
    // Deletes the runs and cases that were added meanwhile.
    for (const run of await selectOlderRuns(db, datasetId, 0)) await eraseRun(db, run.id)
    await deleteCases(db, datasetId, { limit: 1000 })
    await deleteDataset(db, row.id)
    await recordDataset(db, row, 'removed', now, by)
  })
}

export function datasetVersion({ name }: Pick<DatasetRow, 'name'>): string {
  return versionOf(name)
}

async function recordDataset(
  db: Db,
  { id, agent_id }: DatasetRow,
  verb: 'added' | 'changed' | 'removed',
  at: string,
  by: TeamBy,
): Promise<void> {
  await record(db, { ...by, agentId: agent_id, at, action: `dataset.${verb}`, target: `dataset ${id}` })
}
