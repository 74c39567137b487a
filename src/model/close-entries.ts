import { indexWords } from '../lib/words/words.ts'
import type { Findings, FoundPassage } from './findings.ts'

/** A passage that is as good as the best one, but for so much, may be what was meant as well. */
const CLOSE_CONFIDENCE = 0.95
const CLOSE_SCORE = 0.9
/** How many are named at most. */
const NAMED = 3
/** Passages that share so many of their words say the same. */
const SAME = 0.8

/** What a reader knows a passage by: the last of its headings, or its title. */
export function nameOf({ title, heading }: FoundPassage): string {
  return heading.split(' › ').at(-1) || title
}

/**
 * The entries that fit a question about as well as the best one, which comes first; only that when it leads. Entries of the
 * same name and those that say the same count as one.
 * @param needed the confidence that each needs
 */
export function closeEntries({ passages }: Findings, needed: number): FoundPassage[] {
  const [best, ...others] = passages
  if (!best) return []
  const named = [best]
  for (const other of others) {
    const isClose =
      other.confidence >= Math.max(needed, best.confidence * CLOSE_CONFIDENCE) &&
      other.score >= best.score * CLOSE_SCORE
    if (named.length < NAMED && isClose && named.every((one) => !isSame(one, other))) named.push(other)
  }
  return named
}

/** Whether two passages are known by the same name or say the same. */
function isSame(one: FoundPassage, other: FoundPassage): boolean {
  if (nameOf(one).toLowerCase() === nameOf(other).toLowerCase()) return true
  const [words, others] = [one, other].map(({ text }) => new Set(indexWords(text))) as [
    Set<string>,
    Set<string>,
  ]
  const shared = words.intersection(others).size
  return shared > 0 && shared >= SAME * words.union(others).size
}
