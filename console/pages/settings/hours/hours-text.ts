import type { Agent } from '../../../api/types.ts'

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Returns what names a weekday in short, 1 (Monday) to 7. */
export function weekdayNames(language: string): (day: number) => string {
  const names = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return (day) => names.format(MONDAY + (day - 1) * DAY_MS)
}

/** Writes the shifts of a week in one line, such as `Mon–Fri 09:00–17:00, Sat 10:00–12:00 (Europe/Berlin)`. */
export function hoursText({ week, time_zone }: NonNullable<Agent['hours']>, language: string): string {
  const nameOf = weekdayNames(language)
  const shifts = week.map(({ days, from, to }) => {
    const named = rangesOf(days).map((range) => {
      const [first = '', ...others] = range.map(nameOf)
      const last = others.at(-1)
      return last === undefined ? first : others.length === 1 ? `${first}, ${last}` : `${first}–${last}`
    })
    return `${named.join(', ')} ${from}–${to}`
  })
  return `${shifts.join(', ')} (${time_zone})`
}

/** Returns the days that follow each other, together. */
function rangesOf(days: readonly number[]): number[][] {
  const ranges: number[][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.at(-1) === day - 1) last.push(day)
    else ranges.push([day])
  }
  return ranges
}
