import type { Kysely } from 'kysely'
import { tellingness } from '../../language/words/common-words.ts'
import {
  compoundParts,
  endingsBetween,
  isSlip,
  otherSpellings,
  slipsAtBeginning,
} from '../../language/words/spellings.ts'
import type { Word } from '../../language/words/words.ts'
import type { Tables } from '../../storage/tables.ts'
import { countWords, wordsBeginningWith } from './ranking.ts'

/** A word of an agent's passages, and the number of passages that have it. */
interface KnownWord {
  word: string
  passages: number
}

/** The words that stand for a word that no passage has. */
interface KnownSpelling {
  words: KnownWord[]
  /** True if it may be another word: one with another ending, or one that differs by a typing slip. */
  isGuess: boolean
}

/** A word of a question, as it is indexed and as it was written. */
export interface AskedWord extends Word {
  word: string
}

/** The maximum number of a question's words that are looked for in other spellings. */
const MOST_WORDS = 10
/** The minimum lengths of these words, in general and for typing slips. Shorter ones are too much like others. */
const FEWEST_LETTERS = 4
const FEWEST_LETTERS_WITH_SLIP = 5
/** The number of first letters that a word shares with those it is compared with. */
const BEGINNING = 3
const LETTERS_ONLY = /^\p{L}+$/u

/**
 * Finds the words of an agent's passages that stand for words that no passage has. It takes the first of these that
 * exists: the same word in another spelling, the parts of a compound, the same with another ending, or with a typing
 * slip.
 * @param without passages that are treated as if they were not there
 * @returns the spellings by the asked word; a word without any is missing
 */
export async function findKnownSpellings(
  db: Kysely<Tables>,
  agentId: number,
  unknown: readonly AskedWord[],
  without: readonly number[],
): Promise<Map<string, KnownSpelling>> {
  const looked = unknown
    // A common word that the passages lack is no slip.
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
  const missing = looked
    .map(({ word }) => word)
    .filter((word) => !found.has(word) && word.length >= FEWEST_LETTERS_WITH_SLIP)
  for (const [word, guess] of await findSlipsAtBeginning(db, agentId, missing, without))
    found.set(word, { words: [guess], isGuess: true })
  return found
}

/** Finds words that differ in their first letters, by which no index brings them together. */
async function findSlipsAtBeginning(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly string[],
  without: readonly number[],
): Promise<[string, KnownWord][]> {
  const meant = words.map((word) => ({ word, slips: slipsAtBeginning(word) }))
  const counts = await countWords(db, agentId, [...new Set(meant.flatMap(({ slips }) => slips))], without)
  return meant.flatMap(({ word, slips }) => {
    const known = slips.map((slip) => ({ word: slip, passages: counts.get(slip) ?? 0 }))
    const guess = mostFrequent(known.filter(({ passages }) => passages > 0))
    return guess ? [[word, guess]] : []
  })
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

/** Returns the parts whose shortest is longest: `netz` and `werkkabel` are worse than `netzwerk` and `kabel`. */
function mostEven(ways: readonly KnownWord[][]): KnownWord[] {
  const shortest = (parts: readonly KnownWord[]) => Math.min(...parts.map(({ word }) => word.length))
  const [first = [], ...others] = ways
  return others.reduce((best, parts) => (shortest(parts) > shortest(best) ? parts : best), first)
}
