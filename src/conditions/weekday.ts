import type { Scalar } from './condition.ts'

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/**
 * Reads a day of the week as its ISO 8601 number, 1 (Monday) to 7. Accepts 0 (Sunday) and English names. Null: no day.
 */
export function weekdayNumber(value: Scalar): number | null {
  if (typeof value === 'boolean') return null
  const day = typeof value === 'number' ? value : NAMES.indexOf(value.toLowerCase())
  if (!Number.isInteger(day) || day < 0 || day > 7) return null
  return day === 0 ? 7 : day
}
