/** A shift of people: the days on which it begins, 1 (Monday) to 7, and its times, such as 09:00. */
export interface Shift {
  days: readonly number[]
  from: string
  /** The end; none after `from` is on the next day. 24:00 is midnight. */
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

/** The number of days that are looked at for the next opening: more than holidays can take away in a row. */
const FAR_DAYS = 800
/** The number of days after its beginning on which a shift may still go on, for clocks that are set forward. */
const REACH_DAYS = 2

/** Tells whether people are there at a time. @param at milliseconds since the epoch, as all times of this module */
export function isOpen(hours: Hours, at: number): boolean {
  const day = dayOf(hours, at)
  for (let back = REACH_DAYS; back >= 0; back--)
    if (spansOf(hours, day.subtract({ days: back })).some(({ start, end }) => start <= at && at < end))
      return true
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

/** Returns the time at which people will have been there for so many milliseconds since a time; null: never. */
export function openAfter(hours: Hours, from: number, milliseconds: number): number | null {
  let left = milliseconds
  for (const { start, end } of spansFrom(hours, from)) {
    if (left <= end - start) return start + left
    left -= end - start
  }
  return null
}

/** Goes through the times in which people are there that end after a time, none of them twice. */
function* spansFrom(hours: Hours, at: number): Generator<Span> {
  const first = dayOf(hours, at).subtract({ days: REACH_DAYS })
  let reached = at
  for (let days = 0, idle = 0; idle < FAR_DAYS; days++, idle++)
    for (const { start, end } of spansOf(hours, first.add({ days }))) {
      idle = 0
      if (end <= reached) continue
      yield { start: Math.max(start, reached), end }
      reached = end
    }
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

function dayOf({ time_zone }: Hours, at: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(time_zone).toPlainDate()
}
