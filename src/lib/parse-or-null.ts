/** Parses JSON; null for a text that is none. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
