import { newest } from './newest.ts'

/** An hour, 0 to 23, and a day of the week as its ISO 8601 number, 1 (Monday) to 7. */
export interface LocalTime {
  hour: number
  weekday: number
}

/** Tells whether a text is a name in IANA's time zone database, such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  // Intl also takes offsets, which do not follow summer time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the hour and the day of the week in a time zone.
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

/**
 * Says a time in words, such as "Thursday 26 November 2026 at 05:13".
 * @param at milliseconds since the epoch
 * @param language the language tag in which it is said
 * @throws RangeError for a zone that `isTimeZone` refuses
 */
export function timeInWords(
  at: number,
  timeZone: string,
  language: string,
  { withTime = true } = {},
): string {
  return (withTime ? timeInWordsOf : dateInWordsOf)(timeZone, language).format(at)
}

/**
 * Returns the time by which a time zone's clocks are ahead of UTC, in milliseconds.
 * @param at milliseconds since the epoch
 * @throws RangeError for a zone that `isTimeZone` refuses
 */
export function offsetOf(at: number, timeZone: string): number {
  const told = offsetFormatOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(told?.value ?? '') ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -ahead : ahead) * 1000
}

/** An offset in the form of `longOffset`. UTC itself is only `GMT`. */
const OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const formatOf = cachedFormat({ hour: 'numeric', hourCycle: 'h23', weekday: 'short' })
const offsetFormatOf = cachedFormat({ timeZoneName: 'longOffset' })
const dateInWordsOf = cachedFormat({ dateStyle: 'full' })
const timeInWordsOf = cachedFormat({ dateStyle: 'full', timeStyle: 'short' })

/** Keeps a format for each time zone and language. Making one costs a hundred times as much as using it. */
function cachedFormat(
  options: Intl.DateTimeFormatOptions,
): (timeZone: string, language?: string) => Intl.DateTimeFormat {
  const formats = newest<string, Intl.DateTimeFormat>(100)
  return (timeZone, language = 'en-US') => {
    const key = `${timeZone} ${language}`
    const present = formats.get(key)
    if (present) return present
    const made = new Intl.DateTimeFormat(language, { timeZone, ...options })
    formats.set(key, made)
    return made
  }
}
