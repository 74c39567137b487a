import { DAY_MS } from '../clock.ts'
import { type Newest, newest } from '../newest.ts'

/** A shift of people: the days on which it begins, 1 (Monday) to 7, and its times, such as 09:00. */
interface Shift {
  days: readonly number[]
  from: string
  /** The end; on the next day if it is not after `from`. 24:00 is midnight. */
  to: string
}

/** The hours in which people are there. */
export interface Hours {
  time_zone: string
  week: readonly Shift[]
  /** The dates on which no shift begins. */
  holidays: readonly { date: string; name: string }[]
}

/** A time in which people are there without a pause, in milliseconds since the epoch. */
interface Span {
  start: number
  end: number
}

/** The number of days that are looked at: for the next opening, more than holidays can take away in a row. */
const FAR_DAYS = 800
/** The number of days after its beginning on which a shift may still go on, for clocks that are set forward. */
const REACH_DAYS = 2
const EPOCH = new Temporal.PlainDate(1970, 1, 1)

/** Tells whether people are there at a time. @param at milliseconds since the epoch, as all times of this module */
export function isOpen(hours: Hours, at: number): boolean {
  const spansOf = spansByDay(hours)
  const first = firstDay(at)
  for (let day = first; day <= first + REACH_DAYS + 2; day++)
    if (spansOf(day).some(({ start, end }) => start <= at && at < end)) return true
  return false
}

/** Returns when people are there again, or the time itself if they are; null: never. */
export function opensAt(hours: Hours, at: number): number | null {
  const [first] = spansFrom(hours, at).take(1)
  return first?.start ?? null
}

/** Returns the milliseconds between two times in which people are there. */
export function openBetween(hours: Hours, from: number, to: number): number {
  let sum = 0
  for (const { start, end } of spansFrom(hours, from)) {
    if (start >= to) break
    sum += Math.min(end, to) - start
  }
  return sum
}

/**
 * Returns the time at which people will have been there for so many milliseconds since a time; null: never, or later
 * than anybody waits. A year of minutes would take a thousand years in hours of a few minutes a week.
 */
export function openAfter(hours: Hours, from: number, milliseconds: number): number | null {
  let left = milliseconds
  for (const { start, end } of spansFrom(hours, from)) {
    if (start > from + FAR_DAYS * DAY_MS) return null
    if (left <= end - start) return start + left
    left -= end - start
  }
  return null
}

/** Goes through the times in which people are there that end after a time, none of them twice. */
function* spansFrom(hours: Hours, at: number): Generator<Span> {
  const spansOf = spansByDay(hours)
  let reached = at
  for (let day = firstDay(at), idle = 0; idle < FAR_DAYS; day++, idle++)
    for (const { start, end } of spansOf(day)) {
      idle = 0
      if (end <= reached) continue
      yield { start: Math.max(start, reached), end }
      reached = end
    }
}

/** The shifts of the hours used last, by day. They are cached because time zone arithmetic costs most. */
const kept = newest<string, Newest<number, Span[]>>(100)

/** Returns a function that gives the shifts of a day, which is counted since the epoch. */
function spansByDay(hours: Hours): (day: number) => Span[] {
  const key = JSON.stringify(hours)
  const known = kept.get(key) ?? newest<number, Span[]>(1000)
  kept.set(key, known)
  return (day) => {
    const present = known.get(day)
    if (present) return present
    const spans = spansOf(hours, EPOCH.add({ days: day }))
    known.set(day, spans)
    return spans
  }
}

/** Returns the first day whose shifts may go on at a time. A time zone is at most a day behind UTC. */
function firstDay(at: number): number {
  return Math.floor(at / DAY_MS) - 1 - REACH_DAYS
}

/** Returns the shifts that begin on a day, by their beginning. */
function spansOf({ time_zone, week, holidays }: Hours, day: Temporal.PlainDate): Span[] {
  const date = day.toString()
  if (holidays.some((holiday) => holiday.date === date)) return []
  return week
    .filter(({ days }) => days.includes(day.dayOfWeek))
    .map(({ from, to }) => {
      const ends = to === '24:00' ? '00:00' : to
      const lastDay = ends <= from ? day.add({ days: 1 }) : day
      return { start: instantOf(day, from, time_zone), end: instantOf(lastDay, ends, time_zone) }
    })
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start)
}

/** Returns a local time as milliseconds. One that the clocks skip is as much later as they are set forward. */
function instantOf(day: Temporal.PlainDate, plainTime: string, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}
