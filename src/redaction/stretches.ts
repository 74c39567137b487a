import type { Finding } from './engine/finding.ts'
import type { Stretch } from './engine/stretch.ts'
import { byType, type NamePlaceholder } from './numbered.ts'

/** The distance from a placeholder within which the replacement can change findings, with room to spare. */
const REACH = 128
/** The most that a stretch is extended further, so that it begins and ends between words. */
const LONGEST_WORD = 24

/** A text in which findings were replaced, and the stretches around their placeholders, disjoint and in order. */
export interface Replaced {
  text: string
  stretches: Stretch[]
}

/** Replaces findings by placeholders. The findings are disjoint and in order. */
export function replaceFindings(
  text: string,
  findings: readonly Pick<Finding, 'type' | 'start' | 'end'>[],
  named: NamePlaceholder = byType,
): Replaced {
  const parts: string[] = []
  const places: Stretch[] = []
  let at = 0
  let length = 0
  for (const { type, start, end } of findings) {
    const placeholder = named(type, text.slice(start, end))
    parts.push(text.slice(at, start), placeholder)
    length += start - at + placeholder.length
    places.push({ start: length - placeholder.length, end: length })
    at = end
  }
  parts.push(text.slice(at))
  const replaced = parts.join('')
  return { text: replaced, stretches: around(replaced, places, REACH) }
}

/**
 * Extends places, which are disjoint and in order, by `reach` on each side and then to the ends of words. Stretches
 * that meet become one.
 */
export function around(text: string, places: readonly Stretch[], reach: number): Stretch[] {
  const stretches: Stretch[] = []
  let last: Stretch | undefined
  for (const place of places) {
    const start = wordStart(text, place.start - reach)
    const end = wordEnd(text, place.end + reach)
    if (last && start <= last.end) last.end = end
    else {
      last = { start, end }
      stretches.push(last)
    }
  }
  return stretches
}

/** Returns the nearest place at or before `at` that follows a space; `at` if none is near. */
export function wordStart(text: string, at: number): number {
  if (at <= 0) return 0
  for (let start = at; start > at - LONGEST_WORD && start > 0; start--)
    if (isSpace(text, start - 1)) return start
  return Math.max(0, at)
}

function wordEnd(text: string, at: number): number {
  for (let end = at; end < at + LONGEST_WORD && end < text.length; end++) if (isSpace(text, end)) return end
  return Math.min(at, text.length)
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || code === 10
}
