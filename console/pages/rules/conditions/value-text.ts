/** The value that a condition compares with, in words. */
export function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
