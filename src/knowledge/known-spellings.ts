import type { Kysely } from 'kysely'
import { tellingness } from '../lib/words/common-words.ts'
import { compoundParts, endingsBetween, isSlip, otherSpellings } from '../lib/words/spellings.ts'
import type { Word } from '../lib/words/words.ts'
import type { Tables } from '../storage/tables.ts'
import { countWords, wordsBeginningWith } from './ranking.ts'

/** A word of an agent's passages, and how many of them have it. */
interface KnownWord {
  word: string
  passages: number
}

/** What stands for a word that no passage has. */
export interface KnownSpelling {
  words: KnownWord[]
  /** It may be another word: one with another ending, or without a slip of the keyboard. */
  isGuess: boolean
}

/** A word of a question, as it is indexed and as it was written. */
export interface AskedWord extends Word {
  word: string
}

/** So many words of a question are looked for in other spellings. */
const MOST_WORDS = 10
/** Shorter ones are too much like others. */
const FEWEST_LETTERS = 4
const FEWEST_LETTERS_WITH_SLIP = 5
/** Words are compared with those that begin with the same letters. */
const BEGINNING = 3
const LETTERS_ONLY = /^\p{L}+$/u

/**
 * Finds the words of an agent's passages that stand for words that no passage has: the same in another spelling, the parts
 * of a compound, the same with another ending, or with a slip of the keyboard, the first of these that there is.
 * @param without passages that are treated as if they were not there
 * @returns by the asked word; one for which there is nothing is missing
 */
export async function findKnownSpellings(
  db: Kysely<Tables>,
  agentId: number,
  unknown: readonly AskedWord[],
  without: readonly number[],
): Promise<Map<string, KnownSpelling>> {
  const looked = unknown
    // A common word that the passages do not have is no slip.
    .filter(({ word }) => word.length >= FEWEST_LETTERS && LETTERS_ONLY.test(word) && tellingness(word) === 1)
    .slice(0, MOST_WORDS)
    .map((asked) => ({
      ...asked,
      spellings: otherSpellings(asked),
      compounds: compoundParts(asked.plain),
      beginning: asked.word.slice(0, BEGINNING),
    }))
  if (looked.length === 0) return new Map()
  const exact = looked.flatMap(({ spellings, compounds }) => [...spellings, ...compounds.flat()])
  const beginnings = [...new Set(looked.map(({ beginning }) => beginning))]
  const [counts, ...alike] = await Promise.all([
    countWords(db, agentId, [...new Set(exact)], without),
    ...beginnings.map((beginning) => wordsBeginningWith(db, agentId, beginning, without)),
  ])
  const known = (word: string): KnownWord => ({ word, passages: counts.get(word) ?? 0 })
  const isKnown = ({ passages }: KnownWord) => passages > 0
  const found = new Map<string, KnownSpelling>()
  for (const { word, spellings, compounds, beginning } of looked) {
    const others = alike[beginnings.indexOf(beginning)] ?? []
    const spelt = spellings.map(known).find(isKnown)
    const parts = compounds.map((parts) => parts.map(known)).filter((parts) => parts.every(isKnown))
    const sure = spelt ? [spelt] : mostEven(parts)
    const guess =
      nearest(others, (other) => endingsBetween(word, other)) ??
      mostFrequent(
        others.filter((other) => word.length >= FEWEST_LETTERS_WITH_SLIP && isSlip(word, other.word)),
      )
    if (sure.length > 0) found.set(word, { words: sure, isGuess: false })
    else if (guess) found.set(word, { words: [guess], isGuess: true })
  }
  return found
}

function nearest(
  words: readonly KnownWord[],
  distance: (word: string) => number | null,
): KnownWord | undefined {
  const distances = words.map((known) => ({ known, distance: distance(known.word) ?? Infinity }))
  const least = Math.min(...distances.map(({ distance }) => distance))
  if (least === Infinity) return undefined
  return mostFrequent(distances.filter(({ distance }) => distance === least).map(({ known }) => known))
}

function mostFrequent([first, ...others]: readonly KnownWord[]): KnownWord | undefined {
  return others.reduce((best, one) => (best && one.passages > best.passages ? one : best), first)
}

/** The parts of which the shortest is longest: `netz` and `werkkabel` are worse than `netzwerk` and `kabel`. */
function mostEven(ways: readonly KnownWord[][]): KnownWord[] {
  const shortest = (parts: readonly KnownWord[]) => Math.min(...parts.map(({ word }) => word.length))
  const [first = [], ...others] = ways
  return others.reduce((best, parts) => (shortest(parts) > shortest(best) ? parts : best), first)
}
