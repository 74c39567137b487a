import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { toParts } from './case.ts'
import { selectTexts } from './case-store.ts'
import { compareRuns } from './compare-runs.ts'
import type { Said } from './run-case.ts'
import { runErrors } from './run-errors.ts'
import { selectResults, selectRun } from './run-store.ts'
import type { Run, RunWithResults } from './schemas.ts'
import type { CaseTextRow, ResultRow, RunRow } from './tables.ts'

type Db = Kysely<Tables>

const LONGEST_PROMPT = 1000

/** @throws ApiError run_not_found */
export async function findRun(db: Db, agentId: number, id: number): Promise<RunRow> {
  const run = await selectRun(db, agentId, id)
  if (!run) throw new ApiError('run_not_found')
  return run
}

/**
 * Reads a run with the result of each case and, compared with another run, the cases that are better and worse here.
 * @param against id of the other run
 * @throws ApiError run_not_found
 */
export async function readRun(
  db: Db,
  agentId: number,
  id: number,
  against?: number,
): Promise<RunWithResults> {
  const run = await findRun(db, agentId, id)
  const results = await selectResults(db, run.id)
  const texts = await selectTexts(
    db,
    'result_id',
    results.map((result) => result.id),
  )
  const compared =
    against === undefined
      ? {}
      : {
          against,
          ...compareRuns(results, await selectResults(db, (await findRun(db, agentId, against)).id)),
        }
  return {
    ...presentRun(run),
    results: results.map((result) => presentResult(result, texts.get(result.id) ?? [])),
    ...compared,
  }
}

export function presentRun(run: RunRow): Run {
  const {
    id,
    dataset_id,
    version,
    state,
    error,
    total,
    passed,
    failed,
    created_at,
    started_at,
    finished_at,
  } = run
  return {
    id,
    dataset_id,
    version,
    status: state,
    error,
    error_code: runErrors.whyOf(error).code,
    total,
    passed,
    failed,
    created_at,
    started_at,
    finished_at,
  }
}

function presentResult(
  { case_id, state, said, model, ms }: ResultRow,
  texts: readonly CaseTextRow[],
): RunWithResults['results'][number] {
  const { messages } = toParts(texts)
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const { response, failures, citations, tools }: Said = said === null ? NOTHING : (JSON.parse(said) as Said)
  return {
    case_id,
    status: state,
    prompt: prompt.slice(0, LONGEST_PROMPT).toWellFormed(),
    response,
    failures: failures.map(({ code = null, values = {}, ...failure }) => ({ ...failure, code, values })),
    citations,
    tools,
    model: model || null,
    ms,
  }
}

const NOTHING: Said = { response: null, failures: [], citations: [], tools: [] }
