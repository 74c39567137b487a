import { indexWords } from '../language/words/words.ts'
import type { Findings, FoundPassage } from './findings.ts'

/**
 * The shares of the best passage's confidence and score that another passage needs to be a possible meaning as well.
 */
const CLOSE_CONFIDENCE = 0.95
const CLOSE_SCORE = 0.9
/** The most entries that are named. */
const NAMED = 3
/** Two passages say the same if they have this share of their words in common. */
const SAME = 0.8

/** Returns the name by which a reader knows a passage: the last of its headings, or its title. */
export function nameOf({ title, heading }: FoundPassage): string {
  return heading.split(' › ').at(-1) || title
}

/**
 * Tells whether a question is the name of a passage: to the letter, or by its telling words in any order. One telling
 * word is none: "I cannot log in" does not ask for "Logs".
 */
export function asksByName(question: string, passage: FoundPassage): boolean {
  const name = nameOf(passage)
  if (question.toLowerCase() === name.toLowerCase()) return true
  const [asked, named] = [question, name].map((text) => new Set(indexWords(text))) as [
    Set<string>,
    Set<string>,
  ]
  return asked.size > 1 && asked.symmetricDifference(named).size === 0
}

/**
 * Finds the entries that fit a question about as well as the best one, which comes first. If the best one leads, it is
 * the only one. Entries of the same name and those that say the same count as one.
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

/** Tells whether two passages are known by the same name or say the same. */
function isSame(one: FoundPassage, other: FoundPassage): boolean {
  if (nameOf(one).toLowerCase() === nameOf(other).toLowerCase()) return true
  const [words, others] = [one, other].map(({ text }) => new Set(indexWords(text))) as [
    Set<string>,
    Set<string>,
  ]
  const shared = words.intersection(others).size
  return shared > 0 && shared >= SAME * words.union(others).size
}
