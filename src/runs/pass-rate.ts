import type { ResultRow } from './tables.ts'

/** The outcome of a case in one repeat. */
export type Outcome = Pick<ResultRow, 'case_id' | 'repeat' | 'state'>

/** Returns the outcomes of each repeat in which every case has ended. */
export function completeRepeats<Row extends Outcome>(outcomes: readonly Row[]): Row[][] {
  const repeats = Map.groupBy(outcomes, ({ repeat }) => repeat)
  return [...repeats.values()].filter((repeat) => repeat.every(({ state }) => state !== 'waiting'))
}

/** Returns the share of cases that passed. */
export function rateOf(outcomes: readonly Outcome[]): number {
  return rounded(outcomes.filter(({ state }) => state === 'passed').length / outcomes.length)
}

export function meanOf(values: readonly number[]): number {
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

/** Returns the standard deviation of a sample; 0 for a single value. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return rounded(Math.sqrt(squares / Math.max(1, values.length - 1)))
}

/** Rounds a share to twelve places, so that sums of shares show no errors of their last bits. */
export function rounded(share: number): number {
  return Math.round(share * 1e12) / 1e12
}
