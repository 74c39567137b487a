import { stem } from '../../language/words/stemming/stem.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import { plainWords } from '../../language/words/words.ts'
import { newest } from '../../lib/newest.ts'

/** The number of characters of a text that are indexed, so that a longer one costs no more. */
export const INDEXED_CHARACTERS = 8000
/** The maximum numbers of characters of a query that are read, and of its words that must match. */
const QUERY_CHARACTERS = 1000
const MOST_WORDS = 12

/** The highest impact. Impacts start at 1 and say how much a text is about a word. */
const MOST_IMPACT = 63
/** Constants of BM25: how soon repetition stops counting, and the length in words that counts as average. */
const SATURATION = 1.2
const ORDINARY_LENGTH = 50

/**
 * Returns the words under which a text is found, each with its impact: folded, without stop words. A word that does not
 * begin with its stem, such as `cities` with `citi`, is found under both.
 */
export function termsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  let length = 0
  for (const word of plainWords(text.slice(0, INDEXED_CHARACTERS))) {
    length++
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const norm = SATURATION * (0.25 + (0.75 * length) / ORDINARY_LENGTH)
  const terms = new Map<string, number>()
  for (const [word, count] of counts) {
    if (isStopWord(word)) continue
    const impact = Math.max(1, Math.round((MOST_IMPACT * count) / (count + norm)))
    terms.set(word, impact)
    const stemmed = knownStem(word)
    if (!word.startsWith(stemmed) && !terms.has(stemmed)) terms.set(stemmed, impact)
  }
  return terms
}

/** Stems of recent words: texts repeat their words, and stemming costs several times a lookup. */
const stems = newest<string, string>(20_000)

function knownStem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stemmed = stem(word)
  stems.set(word, stemmed)
  return stemmed
}

/** A word of a query. */
export interface SearchedWord {
  /** The prefixes of all matches: every match begins with one of them. */
  readonly beginnings: readonly string[]
  /** Grades an indexed word: 0 matches as a prefix, 1 in another inflection, 2 exactly, null not at all. */
  grade(term: string): 0 | 1 | 2 | null
}

/**
 * Reads the words of a query that a text must contain in any order, each as it is, as a prefix, or in another
 * inflection. The longest come first, because they find least. Accepts any string.
 */
export function readQuery(query: string): SearchedWord[] {
  const words = [...new Set(plainWords(query.slice(0, QUERY_CHARACTERS)))]
  const telling = words.filter((word) => !isStopWord(word))
  // A query of stop words only may still be a prefix of another word.
  return (telling.length > 0 ? telling : words)
    .slice(0, MOST_WORDS)
    .sort((a, b) => b.length - a.length)
    .map(searchedWord)
}

function searchedWord(word: string): SearchedWord {
  const stemmed = stem(word)
  return {
    beginnings: word.startsWith(stemmed) ? [stemmed] : [word, stemmed],
    grade(term) {
      if (term === word) return 2
      if (term.startsWith(word)) return 0
      return term === stemmed || knownStem(term) === stemmed ? 1 : null
    },
  }
}

/** Returns what a word adds to a text's score. An exact match counts more than any prefix match. */
export function scoreOf(impact: number, grade: 0 | 1 | 2): number {
  return impact + grade * (MOST_IMPACT + 1)
}

/** Returns a text's score for a query; 0 if one of the words is missing. */
export function scoreTerms(terms: ReadonlyMap<string, number>, words: readonly SearchedWord[]): number {
  let score = 0
  for (const word of words) {
    let best = 0
    for (const [term, impact] of terms) {
      const grade = word.grade(term)
      if (grade !== null) best = Math.max(best, scoreOf(impact, grade))
    }
    if (best === 0) return 0
    score += best
  }
  return score
}
