import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysBefore, daysOf } from '../../../console/pages/analytics/periods.ts'

describe('periods of analytics', () => {
  for (const [period, from, to, fromBefore, toBefore] of [
    ['week', '2026-03-04', '2026-03-10', '2026-02-25', '2026-03-03'],
    ['yesterday', '2026-03-09', '2026-03-09', '2026-03-08', '2026-03-08'],
    ['days30', '2026-02-09', '2026-03-10', '2026-01-10', '2026-02-08'],
    ['thisMonth', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
    ['lastMonth', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ] as const)
    it(`${period} and what was before it`, () => {
      const days = daysOf(period, '2026-03-10')
      assert.deepEqual(days, { from, to })
      assert.deepEqual(daysBefore(days), { from: fromBefore, to: toBefore })
    })
})
