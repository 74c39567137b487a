import { newest } from './newest.ts'

/** A day of the week as its ISO 8601 number, 1 (Monday) to 7, and an hour of it, 0 to 23. */
export interface LocalTime {
  hour: number
  weekday: number
}

/** Whether a text is a name of IANA's time zone database, such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  // Intl also takes offsets, which know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * The hour and the day in a time zone.
 * @param at milliseconds since the epoch
 * @throws RangeError for a zone that `isTimeZone` refuses
 */
export function localTime(at: number, timeZone: string): LocalTime {
  const { hour, weekday } = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return { hour: Number(hour), weekday: DAYS.indexOf(weekday ?? '') + 1 }
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Making one costs a hundred times what using it does. */
const formats = newest<string, Intl.DateTimeFormat>(100)

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone)
  if (kept) return kept
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: 'numeric',
    hourCycle: 'h23',
    weekday: 'short',
  })
  formats.set(timeZone, made)
  return made
}
