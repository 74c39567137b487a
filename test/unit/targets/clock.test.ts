import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Hours } from '../../../src/lib/hours/hours.ts'
import { type Count, run, stateOf, stop } from '../../../src/targets/clock.ts'
import { drawing } from '../../support/chance.ts'

const MINUTE_MS = 60_000
const WEEK = [1, 2, 3, 4, 5]
/** Zones and the days around which their clocks change, and one whose clocks never do. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-27'],
  ['Europe/Berlin', '2026-10-23'],
  ['America/New_York', '2026-03-06'],
  ['Australia/Lord_Howe', '2026-04-03'],
  ['Asia/Kolkata', '2026-06-12'],
] as const
const SHIFTS = [
  [{ days: WEEK, from: '09:00', to: '17:00' }],
  [{ days: [5, 6, 7], from: '22:00', to: '06:00' }],
  [{ days: [6, 7], from: '00:00', to: '24:00' }],
  [
    { days: WEEK, from: '08:30', to: '12:00' },
    { days: [...WEEK, 6], from: '13:00', to: '18:15' },
  ],
] as const

const STOPPED: Count = { spent_ms: 0, since: null, ends_at: null }

const DAYS = 14

/** Tells of each minute from a time on whether people are there, by the clocks on the wall alone. */
function openMinutes({ time_zone, week }: Hours, start: number): boolean[] {
  return Array.from({ length: DAYS * 24 * 60 }, (_, minute) => {
    const wall = Temporal.Instant.fromEpochMilliseconds(start + minute * MINUTE_MS).toZonedDateTimeISO(
      time_zone,
    )
    const time = wall.toPlainTime().toString({ smallestUnit: 'minute' })
    const [today, yesterday] = [wall.dayOfWeek, ((wall.dayOfWeek + 5) % 7) + 1]
    return week.some(({ days, from, to }) => {
      const end = to === '24:00' ? '99:99' : to
      if (from < end) return days.includes(today) && from <= time && time < end
      return (days.includes(today) && time >= from) || (days.includes(yesterday) && time < end)
    })
  })
}

/** The reference: walks minute by minute, and counts those in which the clock runs and people are there. */
function walked(
  open: readonly boolean[],
  moves: readonly { minute: number; runs: boolean }[],
  minutes: number,
) {
  let left = minutes
  for (const [minute, isOpen] of open.entries()) {
    if (!moves.findLast((move) => move.minute <= minute)?.runs || !isOpen) continue
    if (--left === 0) return minute + 1
  }
  return null
}

describe('a clock', () => {
  for (const [time_zone, day] of CHANGES)
    it(`is due in ${time_zone} around ${day} when a walk minute by minute says so`, () => {
      const draw = drawing()
      const start = Date.parse(`${day}T00:00:00Z`)
      for (const week of SHIFTS) {
        const hours: Hours = { time_zone, week, holidays: [] }
        const open = openMinutes(hours, start)
        for (let round = 0; round < 25; round++) {
          const minutes = draw(1, 900)
          const moves = [{ minute: draw(0, 3 * 24 * 60), runs: true }]
          for (let stops = draw(0, 3); stops > 0; stops--) {
            const stopped = (moves.at(-1)?.minute ?? 0) + draw(1, 600)
            moves.push({ minute: stopped, runs: false }, { minute: stopped + draw(1, 600), runs: true })
          }
          const due = walked(open, moves, minutes)
          let count = STOPPED
          for (const { minute, runs } of moves) {
            const at = timestamp(start + minute * MINUTE_MS)
            // Whoever moves it looks first whether it was due before.
            if (count.ends_at !== null && count.ends_at <= at) break
            count = runs ? run(count, { minutes, hours }, at) : stop(count, hours, at)
          }
          const name = `${JSON.stringify(week)}, ${minutes} minutes, ${JSON.stringify(moves)}`
          assert.ok(due !== null, name)
          assert.equal(count.ends_at, timestamp(start + due * MINUTE_MS), name)
        }
      }
    })

  it('runs at any time without hours, and never where nobody is ever there', () => {
    const at = '2026-03-29T00:30:00.000Z'
    const counted = { minutes: 90, hours: null }
    const running = run(STOPPED, counted, at)
    assert.equal(running.ends_at, '2026-03-29T02:00:00.000Z')
    const later = '2026-03-29T01:00:00.000Z'
    const stopped = stop(running, null, later)
    assert.deepEqual(stopped, { spent_ms: 30 * MINUTE_MS, since: null, ends_at: null })
    assert.equal(run(stopped, counted, later).ends_at, running.ends_at)
    const never = { time_zone: 'UTC', week: [], holidays: [] }
    assert.equal(run(STOPPED, { minutes: 1, hours: never }, at).ends_at, null)
  })

  it('is counted anew from where it began to run', () => {
    const running = run(STOPPED, { minutes: 60, hours: null }, '2026-03-02T08:30:00.000Z')
    const hours = { time_zone: 'UTC', week: [{ days: [1], from: '09:00', to: '17:00' }], holidays: [] }
    const anew = run(running, { minutes: 60, hours }, '2026-03-02T08:45:00.000Z')
    assert.deepEqual([anew.since, anew.ends_at], [running.since, '2026-03-02T10:00:00.000Z'])
  })

  it('stands where its times say', () => {
    const at = '2026-03-02T08:30:00.000Z'
    const open = { missed_at: null, ended_at: null, ends_at: at }
    assert.equal(stateOf(open), 'running')
    assert.equal(stateOf({ ...open, ends_at: null }), 'stopped')
    assert.equal(stateOf({ ...open, ended_at: at }), 'met')
    assert.equal(stateOf({ ...open, missed_at: at, ended_at: at }), 'missed')
  })
})
