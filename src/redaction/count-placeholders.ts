import { placeholderEnd } from './engine/placeholder.ts'

/** Numbers of values by type. */
export type TypeCounts = Readonly<Record<string, number>>

/** The number behind a type that tells values of a conversation apart: `[PERSON_4821]` counts as a person. */
const NUMBER = /_\d{1,4}$/

/** Counts by type the placeholders that a text has and an earlier form of it had not. */
export function newPlaceholders(before: string, after: string): TypeCounts {
  const counts: Record<string, number> = {}
  count(after, 1)
  count(before, -1)
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

  function count(text: string, step: 1 | -1): void {
    for (let start = text.indexOf('['); start >= 0; ) {
      const end = placeholderEnd(text, start)
      if (end > 0) {
        const type = text.slice(start + 1, end - 1).replace(NUMBER, '')
        counts[type] = (counts[type] ?? 0) + step
      }
      start = text.indexOf('[', end > 0 ? end : start + 1)
    }
  }
}
