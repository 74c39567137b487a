import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareRuns } from '../../../src/runs/compare-runs.ts'
import { deviationOf, meanOf, type Outcome } from '../../../src/runs/pass-rate.ts'

/** The outcomes of three repeats of five cases, all alike. */
const outcomesOf = (passed: number): Outcome[] =>
  [1, 2, 3].flatMap((repeat) =>
    [1, 2, 3, 4, 5].map((case_id) => ({ case_id, repeat, state: case_id <= passed ? 'passed' : 'failed' })),
  )

it('rates are without the errors of their last bits', () => {
  assert.deepEqual([meanOf([0.8, 0.8, 0.8]), deviationOf([0.8, 0.8, 0.8])], [0.8, 0])
  assert.deepEqual(
    compareRuns(outcomesOf(4), [...outcomesOf(3), { case_id: 6, repeat: 1, state: 'waiting' }]),
    {
      ...{ better: [4], worse: [] },
      ...{ difference: 0.2, beyond_spread: true },
    },
  )
})
