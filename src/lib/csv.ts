/** Values that spreadsheets would compute. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns a line of CSV (RFC 4180). */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}

/**
 * Returns a value of CSV: quoted where it has to be, and with an apostrophe before what a spreadsheet would compute.
 */
export function csvValue(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
