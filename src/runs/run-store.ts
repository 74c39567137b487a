import { type Insertable, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../transcripts/texts/text-columns.ts'
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

export async function selectRun(db: Db, agentId: number, id: number): Promise<RunRow | undefined> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
}

/** Counts the runs of an agent that have not ended. */
export async function countOpenRuns(db: Db, agentId: number): Promise<number> {
  const { count } = await db
    .selectFrom('test_runs')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agent_id', '=', agentId)
    .where(OPEN)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores a run with copies of the cases of its dataset. */
export async function insertRun(db: Db, row: Omit<Insertable<TestRunsTable>, 'id'>): Promise<RunRow> {
  const run = await db.insertInto('test_runs').values(row).returningAll().executeTakeFirstOrThrow()
  await sql`
    insert into test_results (agent_id, run_id, case_id, tags, state)
    select agent_id, ${sql.lit(run.id)}, id, tags, 'waiting' from dataset_cases
    where dataset_id = ${run.dataset_id} order by id`.execute(db)
  await sql`
    insert into case_texts (agent_id, result_id, completion_id, position, part, content)
    select texts.agent_id, results.id, texts.completion_id, texts.position, texts.part, texts.content
    from test_results as results inner join case_texts as texts on texts.case_id = results.case_id
    where results.run_id = ${run.id} order by results.id, texts.position`.execute(db)
  return run
}

export async function updateRun(
  db: Db,
  id: number,
  values: Partial<Omit<RunRow, 'id' | 'agent_id'>>,
): Promise<RunRow> {
  return db.updateTable('test_runs').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Counts a case of a run as passed or failed. */
export async function countResult(db: Db, id: number, state: 'passed' | 'failed'): Promise<void> {
  await db
    .updateTable('test_runs')
    .set(({ eb, ref }) => ({ [state]: eb(ref(state), '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function selectResults(db: Db, runId: number): Promise<ResultRow[]> {
  return db.selectFrom('test_results').selectAll().where('run_id', '=', runId).orderBy('id').execute()
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

/** Ends a case of a run; tells whether it still waited. */
export async function endResult(
  db: Db,
  id: number,
  values: Pick<ResultRow, 'state' | 'model' | 'said' | 'ms'>,
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

/** Empties the answers in results of cases that have texts of some completions. */
export async function forgetSaid(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
): Promise<void> {
  await db
    .updateTable('test_results')
    .set(forgotten('test_results'))
    .where('id', 'in', (query) =>
      query
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
        ),
    )
    .execute()
}

/** Ends a run. A worker that is at work on it can store nothing more. */
export async function takeRunOver(db: Db, id: number): Promise<void> {
  await db
    .updateTable('test_runs')
    .set(({ eb }) => ({ lease: eb('lease', '+', 1), leased_until: null, state: 'failed' as const }))
    .where('id', '=', id)
    .execute()
}
