import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { countRows } from '../storage/count-rows.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { CaseText } from './case.ts'
import type { CaseRow, CaseTextRow } from './tables.ts'

type Db = Kysely<Tables>

/** Reads a page of the cases of a dataset, oldest first. */
export async function selectCasesPage(
  db: Db,
  datasetId: number,
  request: PageRequest,
): Promise<Page<CaseRow>> {
  const query = db.selectFrom('dataset_cases').selectAll()
  return selectPage(db, { query, of: { dataset_id: datasetId }, key: ['id'], order: 'asc' }, request)
}

export async function selectCase(db: Db, datasetId: number, id: number): Promise<CaseRow | undefined> {
  return db
    .selectFrom('dataset_cases')
    .selectAll()
    .where('id', '=', id)
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst()
}

export function countCases(db: Db, datasetId: number): Promise<number> {
  return countRows(db.selectFrom('dataset_cases').where('dataset_id', '=', datasetId))
}

export async function insertCase(db: Db, row: Omit<CaseRow, 'id'>): Promise<CaseRow> {
  return db.insertInto('dataset_cases').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateCase(
  db: Db,
  id: number,
  values: Partial<Pick<CaseRow, 'tags' | 'updated_at'>>,
): Promise<CaseRow> {
  return db
    .updateTable('dataset_cases')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Deletes cases of a dataset with their texts, the oldest first; returns the number of cases. @param only one case's id
 */
export async function deleteCases(
  db: Db,
  datasetId: number,
  { limit, only }: { limit: number; only?: number },
): Promise<number> {
  const rows = await db
    .selectFrom('dataset_cases')
    .select('id')
    .where('dataset_id', '=', datasetId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.deleteFrom('case_texts').where('case_id', 'in', ids).execute()
  await db.deleteFrom('dataset_cases').where('id', 'in', ids).execute()
  return ids.length
}

/** Reads the texts of cases, or of results, by the id of each. */
export async function selectTexts(
  db: Db,
  of: 'case_id' | 'result_id',
  ids: readonly number[],
): Promise<Map<number, CaseTextRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('case_texts')
    .selectAll()
    .where(of, 'in', ids)
    .orderBy(of)
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (row) => row[of] ?? 0)
}

/** Replaces the texts of a case. */
export async function replaceTexts(
  db: Db,
  { id, agent_id }: Pick<CaseRow, 'id' | 'agent_id'>,
  texts: readonly CaseText[],
): Promise<void> {
  await db.deleteFrom('case_texts').where('case_id', '=', id).execute()
  const rows = texts.map((text, position) => ({ ...text, agent_id, case_id: id, result_id: null, position }))
  if (rows.length > 0) await db.insertInto('case_texts').values(rows).execute()
}
