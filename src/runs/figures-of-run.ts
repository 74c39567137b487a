import type { Documents } from '../knowledge/documents/fingerprint-documents.ts'
import { addUp, type Measured } from './measure-answers.ts'
import { completeRepeats, deviationOf, meanOf, type Outcome, rateOf } from './pass-rate.ts'
import type { Figures } from './schemas.ts'
import type { ResultRow, RunRow } from './tables.ts'

type Row = Outcome & Pick<ResultRow, 'measured' | 'ms'>

/** Returns the figures of a whole run. @param rows all of its results */
export function figuresOfRun(run: RunRow, rows: readonly Row[]): Figures {
  const answers = rows.flatMap((row) => {
    const measured = measuredOf(row)
    return measured ? [{ case_id: row.case_id, measured }] : []
  })
  const measured = answers.map((one) => one.measured)
  const changed = answers.filter((one) => one.measured.documents_changed)
  return {
    pass_rate: passRate(rows),
    flaky: flakyIn(rows),
    recall: recallOf(measured.flatMap(({ ranks }) => ranks)),
    used: measured.length === 0 ? null : usedBy(measured),
    times: timesOf(run, rows),
    documents: run.documents === null ? null : (JSON.parse(run.documents) as Documents),
    documents_changed: changed.length > 0,
    documents_changed_cases: [...new Set(changed.map(({ case_id }) => case_id))],
  }
}

export function measuredOf({ measured }: Pick<ResultRow, 'measured'>): Measured | null {
  return measured === null ? null : (JSON.parse(measured) as Measured)
}

function passRate(rows: readonly Row[]): Figures['pass_rate'] {
  const rates = completeRepeats(rows).map(rateOf)
  if (rates.length === 0) return null
  return {
    mean: meanOf(rates),
    min: Math.min(...rates),
    max: Math.max(...rates),
    deviation: deviationOf(rates),
  }
}

function flakyIn(rows: readonly Row[]): number[] {
  const cases = Map.groupBy(rows, ({ case_id }) => case_id)
  const has = (id: number, wanted: ResultRow['state']) => cases.get(id)?.some(({ state }) => state === wanted)
  return [...cases.keys()].filter((id) => has(id, 'passed') && has(id, 'failed'))
}

const FIRST = 3

function recallOf(ranks: readonly (number | null)[]): Figures['recall'] {
  if (ranks.length === 0) return null
  const found = ranks.filter((rank) => rank !== null)
  return {
    expected: ranks.length,
    found: found.length / ranks.length,
    first_three: found.filter((rank) => rank <= FIRST).length / ranks.length,
    reciprocal_rank: meanOf(ranks.map((rank) => (rank === null ? 0 : 1 / rank))),
  }
}

/** Adds up what model calls used for some cases. */
export function usedBy(measured: readonly Measured[]): NonNullable<Figures['used']> {
  const customers = measured.flatMap(({ customer }) => customer ?? [])
  return { ...addUp(measured), customer: customers.length === 0 ? null : addUp(customers) }
}

function timesOf({ started_at, finished_at }: RunRow, rows: readonly Row[]): Figures['times'] {
  const all = rows.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b)
  if (all.length === 0) return null
  const least = (part: number) => all[Math.ceil(part * all.length) - 1] ?? 0
  const wall_ms = started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : null
  return { wall_ms, median_ms: least(0.5), p90_ms: least(0.9) }
}
