import { DAY_MS } from '../../../src/lib/clock.ts'

/** The periods that can be chosen with one click. */
export const periods = ['yesterday', 'week', 'days30', 'thisMonth', 'lastMonth'] as const
export type Period = (typeof periods)[number]

/** Days as YYYY-MM-DD, both inclusive. */
export interface Days {
  from: string
  to: string
}

/** Returns the days of a period. @param today YYYY-MM-DD */
export function daysOf(period: Period, today: string): Days {
  if (period === 'yesterday') return { from: dayAfter(today, -1), to: dayAfter(today, -1) }
  if (period === 'week') return { from: dayAfter(today, -6), to: today }
  if (period === 'days30') return { from: dayAfter(today, -29), to: today }
  if (period === 'thisMonth') return { from: firstOfMonth(today), to: today }
  const to = dayAfter(firstOfMonth(today), -1)
  return { from: firstOfMonth(to), to }
}

/** Returns as many days as given, just before them; for a whole month, the month before. */
export function daysBefore({ from, to }: Days): Days {
  const before = dayAfter(from, -1)
  const isMonth = from === firstOfMonth(to) && firstOfMonth(dayAfter(to, 1)) === dayAfter(to, 1)
  if (isMonth) return { from: firstOfMonth(before), to: before }
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
  return { from: dayAfter(before, -count), to: before }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}
