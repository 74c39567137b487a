/** Returns the beginning of a day in the reader's time zone, as the service takes times. @param day YYYY-MM-DD */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}

/** Returns the last moment of a day in the reader's time zone. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}

/** Returns the beginning of the next day: the first moment after this one. */
export function startOfNextDay(day: string): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + 1)
  return start.toISOString()
}
