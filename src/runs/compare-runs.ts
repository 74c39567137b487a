import type { ResultRow } from './tables.ts'

/** Finds the cases that fail in the other run and pass in this one, and the other way round. */
export function compareRuns(
  here: readonly Pick<ResultRow, 'case_id' | 'state'>[],
  there: readonly Pick<ResultRow, 'case_id' | 'state'>[],
): { better: number[]; worse: number[] } {
  const before = new Map(there.map(({ case_id, state }) => [case_id, state]))
  const turned = (from: ResultRow['state'], to: ResultRow['state']) =>
    here
      .filter(({ case_id, state }) => state === to && before.get(case_id) === from)
      .map(({ case_id }) => case_id)
  return { better: turned('failed', 'passed'), worse: turned('passed', 'failed') }
}
