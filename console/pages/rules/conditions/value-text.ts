/** Returns the value that a condition compares with, as text. */
export function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
