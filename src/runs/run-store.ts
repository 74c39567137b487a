import { type Insertable, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { countRows } from '../storage/count-rows.ts'
import { rowOfAgent } from '../storage/rows-of-agent.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'
import { takenOver } from '../work/lease.ts'
import { queueOf } from '../work/queue.ts'
import type { ResultRow, RunRow, TestRunsTable } from './tables.ts'

type Db = Kysely<Tables>

const OPEN = sql<boolean>`state in ('queued', 'running')`

/** Makes a queue of the runs that wait. @param only the id of the one run to take; null: any */
export function runQueueOf(only: number | null) {
  return queueOf('test_runs', {
    ...byAgent,
    open: only === null ? OPEN : sql<boolean>`(${OPEN} and id = ${sql.lit(only)})`,
    due: sql<string>`coalesce(due_at, created_at)`,
    reopened: { state: 'queued', error: null, finished_at: null },
  })
}

export async function selectRunsPage(
  db: Db,
  of: { agent_id: number } | { dataset_id: number },
  request: PageRequest,
): Promise<Page<RunRow>> {
  const query = db.selectFrom('test_runs').selectAll()
  return selectPage(db, { query, of, key: ['id'], order: 'desc' }, request)
}

export const selectRun = rowOfAgent((db) => db.selectFrom('test_runs').selectAll())

/** Counts the runs of an agent that have not ended. */
export function countOpenRuns(db: Db, agentId: number): Promise<number> {
  return countRows(db.selectFrom('test_runs').where('agent_id', '=', agentId).where(OPEN))
}

/** Stores a run with copies of the cases of its dataset, which all repeats share. */
export async function insertRun(db: Db, row: Omit<Insertable<TestRunsTable>, 'id'>): Promise<RunRow> {
  const run = await db.insertInto('test_runs').values(row).returningAll().executeTakeFirstOrThrow()
  await sql`
    insert into test_results (agent_id, run_id, case_id, tags, state)
    select agent_id, ${sql.lit(run.id)}, id, tags, 'waiting' from dataset_cases
    where dataset_id = ${run.dataset_id} order by id`.execute(db)
  for (let repeat = 2; repeat <= run.repeats; repeat++)
    await sql`
      insert into test_results (agent_id, run_id, case_id, tags, state, repeat, first_id)
      select agent_id, run_id, case_id, tags, 'waiting', ${sql.lit(repeat)}, id from test_results
      where run_id = ${run.id} and repeat = 1 order by id`.execute(db)
  await sql`
    insert into case_texts (agent_id, result_id, completion_id, position, part, content)
    select texts.agent_id, results.id, texts.completion_id, texts.position, texts.part, texts.content
    from test_results as results inner join case_texts as texts on texts.case_id = results.case_id
    where results.run_id = ${run.id} and results.repeat = 1 order by results.id, texts.position`.execute(db)
  return run
}

export async function updateRun(
  db: Db,
  id: number,
  values: Partial<Omit<RunRow, 'id' | 'agent_id'>>,
): Promise<RunRow> {
  return db.updateTable('test_runs').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Counts an answer of a run, and its case once it is known whether that passed. @param of the repeats of the case */
export async function countResult(
  db: Db,
  run: Pick<RunRow, 'id' | 'repeats'>,
  of: readonly ResultRow['state'][],
  state: 'passed' | 'failed',
): Promise<void> {
  const count = (wanted: ResultRow['state']) => of.filter((one) => one === wanted).length
  const isFirstFailure = state === 'failed' && count('failed') === 1
  const isLastPass = state === 'passed' && count('passed') === run.repeats
  await db
    .updateTable('test_runs')
    .set(({ eb, ref, fn }) => ({
      // A run that an older version began counted only these, of single repeats.
      done: eb(fn.coalesce(ref('done'), eb(ref('passed'), '+', ref('failed'))), '+', 1),
      ...(isFirstFailure ? { failed: eb(ref('failed'), '+', 1) } : {}),
      ...(isLastPass ? { passed: eb(ref('passed'), '+', 1) } : {}),
    }))
    .where('id', '=', run.id)
    .execute()
}

const OUTCOME = [
  'id',
  'case_id',
  'repeat',
  'first_id',
  'state',
  'model',
  'ms',
  'measured',
] as const satisfies readonly (keyof ResultRow)[]

/** A result without what was said. */
export type OutcomeRow = Pick<ResultRow, (typeof OUTCOME)[number]>

/** Returns the id of the result that has the copy of a case's texts. */
export function ownerOfTexts({ id, first_id }: Pick<ResultRow, 'id' | 'first_id'>): number {
  return first_id ?? id
}

/** Reads the results of all cases and repeats of a run. */
export async function selectOutcomes(db: Db, runId: number): Promise<OutcomeRow[]> {
  return db.selectFrom('test_results').select(OUTCOME).where('run_id', '=', runId).orderBy('id').execute()
}

/** Reads what was said in some results, by the id of each. */
export async function selectSaid(db: Db, ids: readonly number[]): Promise<Map<number, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('test_results').select(['id', 'said']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, said }) => [id, said]))
}

/** Reads all repeats of a case in a run. */
export async function selectRepeats(db: Db, runId: number, caseId: number): Promise<ResultRow[]> {
  return db
    .selectFrom('test_results')
    .selectAll()
    .where('run_id', '=', runId)
    .where('case_id', '=', caseId)
    .orderBy('id')
    .execute()
}

/** Reads the states of all repeats of a case in a run. */
export async function selectStates(db: Db, runId: number, caseId: number): Promise<ResultRow['state'][]> {
  const rows = await db
    .selectFrom('test_results')
    .select('state')
    .where('run_id', '=', runId)
    .where('case_id', '=', caseId)
    .execute()
  return rows.map(({ state }) => state)
}

export async function selectWaitingResults(db: Db, runId: number): Promise<ResultRow[]> {
  return db
    .selectFrom('test_results')
    .selectAll()
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .execute()
}

/** Ends a case in a repeat of a run; tells whether it still waited. */
export async function endResult(
  db: Db,
  id: number,
  values: Pick<ResultRow, 'state' | 'model' | 'said' | 'dialogue' | 'measured' | 'ms'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('test_results')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes results of a run with the copies of their cases; returns the number of results. */
export async function deleteResults(db: Db, runId: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('test_results')
    .select('id')
    .where('run_id', '=', runId)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.deleteFrom('case_texts').where('result_id', 'in', ids).execute()
  await db.deleteFrom('test_results').where('id', 'in', ids).execute()
  return ids.length
}

/** Deletes a run that has no results any more. */
export async function deleteRun(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('test_runs').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Reads the runs of a dataset except the newest ones. */
export async function selectOlderRuns(db: Db, datasetId: number, newest: number): Promise<RunRow[]> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .orderBy('id', 'desc')
    .offset(newest)
    .limit(1000)
    .execute()
}

/** Empties the answers in results of cases that have texts of some completions, in all repeats. */
export async function forgetSaid(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
): Promise<number> {
  const owners = db
    .selectFrom('case_texts')
    .select((of) => of.ref('case_texts.result_id').$notNull().as('id'))
    .where('case_texts.result_id', 'is not', null)
    .where('case_texts.completion_id', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom(completions.as('completion'))
          .select('completion.id')
          .whereRef('completion.id', '=', 'case_texts.completion_id'),
      ),
    )
  const repeats = db
    .selectFrom('test_results as other')
    .select('other.id')
    .where('other.first_id', 'in', owners)
  const { numUpdatedRows } = await db
    .updateTable('test_results')
    .set(forgotten('test_results'))
    .where('id', 'in', owners.unionAll(repeats))
    .where((where) => where.or([where('said', 'is not', null), where('dialogue', 'is not', null)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends a run. A worker that is at work on it can store nothing more. */
export async function takeRunOver(db: Db, id: number): Promise<void> {
  await db
    .updateTable('test_runs')
    .set({ state: 'failed', ...takenOver('test_runs') })
    .where('id', '=', id)
    .execute()
}
