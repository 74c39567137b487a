import type { Finding } from './finding.ts'

/** The score from which on a name is also looked for elsewhere in the text. */
const SURE = 0.98

/**
 * Joins the findings of the tagger with those of the recognizers, which take precedence: a tagged stretch that overlaps
 * one of them keeps only the rest, if that can be a finding by itself. Both are disjoint and in the order of the text,
 * and so is the result.
 */
export function addTagged(text: string, findings: readonly Finding[], tagged: readonly Finding[]): Finding[] {
  if (tagged.length === 0) return [...findings]
  const joined: Finding[] = []
  let next = 0
  for (const one of tagged) {
    while (next < findings.length && (findings[next] as Finding).end <= one.start)
      joined.push(findings[next++] as Finding)
    let before: Finding | undefined
    for (let at = next; ; at++) {
      const other = (findings[at]?.start ?? Infinity) < one.end ? findings[at] : undefined
      const piece = { ...one, start: before?.end ?? one.start, end: other?.start ?? one.end }
      if (piece.start < piece.end) {
        const beside = [before, other].filter((found) => found?.type === one.type)
        const rest = text.slice(piece.start, piece.end)
        // A piece beside a finding of its type becomes one with it.
        if ((!before && !other) || beside.length > 0 || mayStand(rest, one))
          joined.push({
            ...piece,
            start: beside.includes(before) && before ? before.start : piece.start,
            end: beside.includes(other) && other ? other.end : piece.end,
          })
      }
      if (!other) break
      before = other
    }
  }
  return [...joined, ...findings.slice(next)]
}

/**
 * Tells whether a piece that a finding of another type has left is a finding by itself: two words of a name; of an
 * address letters with a number.
 */
function mayStand(piece: string, { type }: Finding): boolean {
  return type === 'PERSON' ? /\p{L} +\p{L}/u.test(piece) : /\d/.test(piece) && /\p{L}/u.test(piece)
}

/** Returns the findings that are sure enough to be looked for again. */
export function sureOf(tagged: readonly Finding[]): Finding[] {
  return tagged.filter(({ score = 0 }) => score >= SURE)
}
