import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Hours, isOpen, openAfter, openBetween, opensAt } from '../../../src/lib/hours/hours.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WORKDAYS = [1, 2, 3, 4, 5]
const at = (text: string) => Date.parse(text)

function hoursOf(week: Hours['week'], more: Partial<Hours> = {}): Hours {
  return { time_zone: 'Europe/Berlin', week, holidays: [], ...more }
}
const office = hoursOf([
  { days: WORKDAYS, from: '09:00', to: '12:30' },
  { days: WORKDAYS, from: '13:30', to: '17:00' },
])

describe('hours', () => {
  it('are open from the first minute of a shift to the last', () => {
    // A Thursday in winter.
    for (const [time, open] of [
      ['08:59:59', false],
      ['09:00:00', true],
      ['12:29:59', true],
      ['12:30:00', false],
      ['13:30:00', true],
      ['17:00:00', false],
    ] as const)
      assert.equal(isOpen(office, at(`2026-11-26T${time}+01:00`)), open, time)
    assert.equal(isOpen(office, at('2026-11-28T10:00+01:00')), false, 'a Saturday')
  })

  it('open again in the next shift, on the next working day, after holidays', () => {
    const opens = (hours: Hours, time: string) => new Date(opensAt(hours, at(time)) ?? 0).toISOString()
    assert.equal(opens(office, '2026-11-26T12:45+01:00'), '2026-11-26T12:30:00.000Z')
    assert.equal(opens(office, '2026-11-27T18:00+01:00'), '2026-11-30T08:00:00.000Z')
    assert.equal(opens(office, '2026-11-26T10:00+01:00'), '2026-11-26T09:00:00.000Z', 'they are open')
    const holidays = ['24', '25', '28'].map((day) => ({ date: `2026-12-${day}`, name: 'Christmas' }))
    assert.equal(opens({ ...office, holidays }, '2026-12-23T18:00+01:00'), '2026-12-29T08:00:00.000Z')
  })

  it('says that nothing is due in what would take years', () => {
    const minuteAWeek = hoursOf([{ days: [1], from: '09:00', to: '09:01' }])
    const from = at('2026-11-26T10:00Z')
    assert.ok(openAfter(minuteAWeek, from, 100 * MINUTE_MS))
    assert.equal(openAfter(minuteAWeek, from, 525_600 * MINUTE_MS), null)
  })

  it('never open without a shift', () => {
    for (const hours of [hoursOf([]), hoursOf([{ days: [], from: '09:00', to: '17:00' }])]) {
      assert.equal(opensAt(hours, at('2026-11-26T10:00Z')), null)
      assert.equal(openAfter(hours, at('2026-11-26T10:00Z'), 1), null)
      assert.equal(openBetween(hours, at('2026-01-01T00:00Z'), at('2027-01-01T00:00Z')), 0)
    }
  })

  it('go on after midnight; a holiday takes away what begins on it', () => {
    const night = hoursOf([{ days: [5], from: '22:00', to: '06:00' }])
    assert.equal(isOpen(night, at('2026-11-28T05:59+01:00')), true)
    assert.equal(isOpen(night, at('2026-11-28T06:00+01:00')), false)
    assert.equal(isOpen(night, at('2026-11-27T05:00+01:00')), false, 'the night before')
    const onFriday = { ...night, holidays: [{ date: '2026-11-27', name: 'Off' }] }
    assert.equal(isOpen(onFriday, at('2026-11-28T01:00+01:00')), false)
    const onSaturday = { ...night, holidays: [{ date: '2026-11-28', name: 'Off' }] }
    assert.equal(isOpen(onSaturday, at('2026-11-28T01:00+01:00')), true)
    const always = hoursOf([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }])
    assert.equal(openBetween(always, at('2026-11-26T12:34Z'), at('2026-12-03T12:34Z')), 7 * 24 * HOUR_MS)
  })

  it('are exact when clocks are changed', () => {
    const early = hoursOf([{ days: [7], from: '01:00', to: '04:00' }])
    const day = (date: string) =>
      openBetween(early, at(`${date}T00:00Z`) - 12 * HOUR_MS, at(`${date}T20:00Z`))
    assert.equal(day('2026-03-22'), 3 * HOUR_MS)
    assert.equal(day('2026-03-29'), 2 * HOUR_MS, 'an hour is skipped')
    assert.equal(day('2026-10-25'), 4 * HOUR_MS, 'an hour comes twice')
    const inGap = hoursOf([{ days: [7], from: '02:15', to: '02:45' }])
    assert.equal(openBetween(inGap, at('2026-03-28T12:00Z'), at('2026-03-29T12:00Z')), 30 * MINUTE_MS)
    // One hour on Friday and seven on Monday, although the clocks are changed between them.
    const due = openAfter(office, at('2026-03-27T16:00+01:00'), 8 * HOUR_MS)
    assert.equal(new Date(due ?? 0).toISOString(), '2026-03-30T15:00:00.000Z')
  })

  it('are those of their time zone', () => {
    const time = at('2026-11-26T10:00+01:00')
    assert.equal(isOpen(office, time), true)
    assert.equal(isOpen({ ...office, time_zone: 'America/New_York' }, time), false)
  })

  it('agree with each other and with counting minute by minute', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '45'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
    const shift = fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
      from: clock,
      to: clock,
    })
    const hours = fc.record({
      time_zone: fc.constantFrom(
        'UTC',
        'Europe/Berlin',
        'America/New_York',
        'Australia/Lord_Howe',
        'Asia/Kolkata',
      ),
      week: fc.array(shift, { maxLength: 3 }),
      holidays: fc.constantFrom([], [{ date: '2026-03-29', name: 'x' }], [{ date: '2026-11-01', name: 'x' }]),
    })
    const begin = fc
      .constantFrom('2026-03-07T18:00Z', '2026-03-28T12:00Z', '2026-04-04T06:00Z', '2026-10-31T20:00Z')
      .map((text) => at(text))
    fc.assert(
      fc.property(hours, begin, fc.integer({ min: 0, max: 1500 }), (hours, from, quarters) => {
        const to = from + quarters * MINUTE_MS
        let counted = 0
        for (let time = from; time < to; time += MINUTE_MS) if (isOpen(hours, time)) counted += MINUTE_MS
        assert.equal(openBetween(hours, from, to), counted)
        const opens = opensAt(hours, from)
        if (opens === null) assert.equal(counted, 0)
        else assert.equal(isOpen(hours, opens), true)
        if (counted === 0) return
        const due = openAfter(hours, from, counted)
        assert.ok(due !== null && due <= to)
        assert.equal(openBetween(hours, from, due), counted)
      }),
      { numRuns: 60 },
    )
  })
})
