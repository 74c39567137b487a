/** The names of the times that are offered. */
type SnoozeTime = 'laterToday' | 'tomorrow' | 'nextWeek'

const MORNING = 9
const LATER_HOURS = 3
const MONDAY = 1

/**
 * Returns the times until which a conversation can be put aside with one press, in the time zone of the browser. Late in
 * the day there is no later today.
 */
export function snoozeTimes(now: Date): { name: SnoozeTime; at: Date }[] {
  const later = new Date(now)
  later.setHours(now.getHours() + LATER_HOURS, 0, 0, 0)
  const daysToMonday = (MONDAY - now.getDay() + 7) % 7 || 7
  return [
    ...(later.getDate() === now.getDate() ? [{ name: 'laterToday' as const, at: later }] : []),
    { name: 'tomorrow', at: morningIn(now, 1) },
    ...(daysToMonday > 1 ? [{ name: 'nextWeek' as const, at: morningIn(now, daysToMonday) }] : []),
  ]
}

/** Returns a time as a field of the type datetime-local takes it. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function morningIn(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
}
