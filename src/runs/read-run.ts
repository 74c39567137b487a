import type { Kysely } from 'kysely'
import { ApiError, foundOr } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { type CaseParts, toParts } from './case.ts'
import { selectTexts } from './case-store.ts'
import { compareRuns } from './compare-runs.ts'
import type { Exchange } from './exchange.ts'
import { figuresOfRun, measuredOf, usedBy } from './figures-of-run.ts'
import type { Said } from './run-case.ts'
import { runErrors } from './run-errors.ts'
import {
  type OutcomeRow,
  ownerOfTexts,
  selectOutcomes,
  selectRepeats,
  selectRun,
  selectSaid,
} from './run-store.ts'
import type { CaseResults, Comparison, Run, RunWithResults } from './schemas.ts'
import type { ResultRow, RunRow } from './tables.ts'

type Db = Kysely<Tables>

const LONGEST_PROMPT = 1000

/** @throws ApiError run_not_found */
export async function findRun(db: Db, agentId: number, id: number): Promise<RunRow> {
  return foundOr(await selectRun(db, agentId, id), 'run_not_found')
}

/**
 * Reads a run with the result of each case and, compared with another run, what is better and worse here.
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
  const outcomes = await selectOutcomes(db, run.id)
  const cases = [...Map.groupBy(outcomes, ({ case_id }) => case_id).values()].map(outcomeOfCase)
  const said = await selectSaid(
    db,
    cases.map(({ shown }) => shown.id),
  )
  const texts = await selectTexts(
    db,
    'result_id',
    cases.map(({ shown }) => ownerOfTexts(shown)),
  )
  return {
    ...presentRun(run),
    ...figuresOfRun(run, outcomes),
    results: cases.map(({ shown, ...counts }) => {
      const parts = toParts(texts.get(ownerOfTexts(shown)) ?? [])
      return {
        case_id: shown.case_id,
        prompt: promptOf(parts),
        customer: parts.customer !== null,
        ...presentOutcome({ ...shown, said: said.get(shown.id) ?? null }),
        repeat: shown.repeat,
        ...counts,
      }
    }),
    ...(against === undefined ? {} : await comparedWith(db, run, outcomes, against)),
  }
}

async function comparedWith(
  db: Db,
  run: RunRow,
  outcomes: readonly OutcomeRow[],
  against: number,
): Promise<Comparison> {
  const other = await findRun(db, run.agent_id, against)
  const [here, there] = [run.documents, other.documents]
  return {
    against,
    ...compareRuns(outcomes, await selectOutcomes(db, other.id)),
    same_documents: here === null || there === null ? null : here === there,
  }
}

/**
 * Reads what came of a case in each repeat of a run, with what customer and agent said.
 * @throws ApiError run_not_found, case_not_found
 */
export async function readCaseResults(
  db: Db,
  agentId: number,
  id: number,
  caseId: number,
): Promise<CaseResults> {
  const run = await findRun(db, agentId, id)
  const rows = await selectRepeats(db, run.id, caseId)
  const [first] = rows
  if (!first) throw new ApiError('case_not_found')
  const owner = ownerOfTexts(first)
  const texts = await selectTexts(db, 'result_id', [owner])
  return {
    case_id: first.case_id,
    prompt: promptOf(toParts(texts.get(owner) ?? [])),
    repeats: rows.map((row) => ({
      repeat: row.repeat,
      ...presentOutcome(row),
      dialogue: row.dialogue === null ? null : (JSON.parse(row.dialogue) as Exchange[]),
    })),
  }
}

/** Adds up the repeats of a case, and chooses the one that is shown: the first that failed, or the first. */
function outcomeOfCase(repeats: readonly OutcomeRow[]) {
  const ended = repeats.filter(({ state }) => state !== 'waiting')
  const failed = ended.find(({ state }) => state === 'failed')
  const isWhole = ended.length === repeats.length
  return {
    shown: failed ?? ended[0] ?? (repeats[0] as OutcomeRow),
    status: failed ? ('failed' as const) : isWhole ? ('passed' as const) : ('waiting' as const),
    passed: ended.filter(({ state }) => state === 'passed').length,
    ran: ended.length,
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
    repeats,
    cost_limit,
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
    repeats,
    done: run.done ?? passed + failed,
    cost_limit,
    created_at,
    started_at,
    finished_at,
  }
}

function promptOf({ messages, customer }: CaseParts): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content
  return (asked ?? customer?.goal ?? customer?.says?.[0] ?? '').slice(0, LONGEST_PROMPT).toWellFormed()
}

function presentOutcome({
  state,
  said,
  model,
  ms,
  measured,
}: Omit<OutcomeRow, 'id'> & Pick<ResultRow, 'said'>) {
  const { response, failures, citations, tools }: Said = said === null ? NOTHING : (JSON.parse(said) as Said)
  const numbers = measuredOf({ measured })
  return {
    status: state,
    response,
    failures: failures.map(({ code = null, values = {}, ...failure }) => ({ ...failure, code, values })),
    citations,
    tools,
    model: model || null,
    ms,
    used: numbers && usedBy([numbers]),
    turns: numbers?.turns ?? null,
    ranks: numbers?.ranks ?? [],
    documents_changed: numbers?.documents_changed ?? false,
  }
}

const NOTHING: Said = { response: null, failures: [], citations: [], tools: [] }
