import assert from 'node:assert/strict'
import { it } from 'node:test'
import { localTime, snoozeTimes } from '../../../console/pages/snooze/snooze-times.ts'

const offered = (now: string) => snoozeTimes(new Date(now)).map(({ name, at }) => `${name} ${localTime(at)}`)

it('snoozing offers later today, tomorrow morning and next week, each only where it differs', () => {
  // A Wednesday.
  assert.deepEqual(offered('2026-11-25T10:20:00'), [
    'laterToday 2026-11-25T13:00',
    'tomorrow 2026-11-26T09:00',
    'nextWeek 2026-11-30T09:00',
  ])
  // Late in the evening, nothing is later today.
  assert.deepEqual(offered('2026-11-25T22:00:00'), ['tomorrow 2026-11-26T09:00', 'nextWeek 2026-11-30T09:00'])
  // On a Sunday, next week begins tomorrow.
  assert.deepEqual(offered('2026-11-29T10:00:00'), [
    'laterToday 2026-11-29T13:00',
    'tomorrow 2026-11-30T09:00',
  ])
  // On a Monday, next week is a week away.
  assert.deepEqual(offered('2026-11-30T10:00:00').at(-1), 'nextWeek 2026-12-07T09:00')
})
