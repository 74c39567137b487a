/** When a day of the reader's own time zone begins, as the service takes times. @param day YYYY-MM-DD */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}

/** The last moment of a day of the reader's own time zone. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}

/** When the next day begins: the first moment that is no longer of it. */
export function startOfNextDay(day: string): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + 1)
  return start.toISOString()
}
