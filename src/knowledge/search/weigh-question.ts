import type { Kysely } from 'kysely'
import { everydayWords } from '../../language/words/everyday-words.ts'
import { isToned, tonedWords } from '../../language/words/toned-words.ts'
import { isFiller, questionWord, readWords } from '../../language/words/words.ts'
import type { Tables } from '../../storage/tables.ts'
import { type AskedWord, findKnownSpellings } from './known-spellings.ts'
import { type IndexTotals, lookUpWords, type RankedWord, WORDS_LOOKED_UP } from './ranking.ts'
import { weighWord } from './word-weights.ts'

/** The weighed words of a question, as they are searched for. */
interface WeighedQuestion extends IndexTotals {
  /** All its words, including those that no passage has; none if there are no passages. */
  words: WeighedWord[]
}

interface WeighedWord extends RankedWord {
  /** The word as `questionWords` has it; null for one that only ranks: a pair of neighbours, or a related word. */
  name: string | null
}

/** The share of its weight that a pair of neighbours adds to that of its words. */
const PAIR_SHARE = 0.5

/** The share of its weight that a related word keeps: a word that documentation may use in place of the asked one. */
const RELATED_SHARE = 0.5

/** The share of its evidence that a guess keeps. */
const GUESS_SHARE = 0.5

/**
 * Looks up the words of a question and weighs them. A word with tone marks is searched for with the marks if a passage
 * has them, otherwise without. A word that no passage has is replaced by the words that `findKnownSpellings` finds.
 * @param without ids of passages that are treated as if they were not there
 */
export async function weighQuestion(
  db: Kysely<Tables>,
  agentId: number,
  question: string,
  without: readonly number[],
): Promise<WeighedQuestion> {
  const asked = readQuestion(question)
  const { marked, pairs } = isToned(question) ? tonedWords(question) : { marked: [], pairs: [] }
  const related = [...asked.keys()].flatMap((word) => [...everydayWords(word)])
  const terms = [...new Set([...asked.keys(), ...marked.map(({ written }) => written), ...pairs, ...related])]
  const { counts, ...totals } = await lookUpWords(db, agentId, terms.slice(0, WORDS_LOOKED_UP), without)
  if (totals.passages <= 0) return { ...totals, words: [] }
  const toned = new Map(marked.map(({ plain, written }) => [plain, written]))
  const weighed = (name: string | null, word: string, passages = counts.get(word) ?? 0): WeighedWord => ({
    name,
    word,
    passages,
    ...weighWord(word, totals.passages, passages),
  })
  const words = Array.from(asked.values(), ({ word, plain }) => {
    const written = toned.get(plain)
    return weighed(word, written !== undefined && counts.has(written) ? written : word)
  })
  const unknown = words.filter(({ word, passages }) => passages === 0 && !isFiller(word))
  const spellings = await findKnownSpellings(
    db,
    agentId,
    unknown.flatMap(({ word }) => asked.get(word) ?? []),
    without,
  )
  const known = words.flatMap((word) => {
    const spelling = spellings.get(word.word)
    if (!spelling) return [word]
    const others = spelling.words
      .filter((other) => !asked.has(other.word))
      .map((other) => weighed(other.word, other.word, other.passages))
    if (!spelling.isGuess) return others
    return others.length > 0 ? [word, ...others].map(asGuess) : [word]
  })
  const ranking = (words: readonly string[], share: number) =>
    words
      .filter((word) => counts.has(word) && !asked.has(word))
      .map((word) => weighed(null, word))
      .map((word) => ({ ...word, weight: Math.round(word.weight * share), evidence: 0 }))
  return {
    ...totals,
    words: [...known, ...ranking(pairs, PAIR_SHARE), ...ranking([...new Set(related)], RELATED_SHARE)],
  }
}

/**
 * Reduces the evidence of a guess: neither the asked word nor a possible spelling of it proves as much as a word that
 * was found as it was asked.
 */
function asGuess(word: WeighedWord): WeighedWord {
  return { ...word, evidence: Math.round(word.evidence * GUESS_SHARE) }
}

/** Reads the words of a question, by the word under which each is indexed. */
function readQuestion(question: string): Map<string, AskedWord> {
  const asked = new Map<string, AskedWord>()
  for (const word of readWords(question)) {
    const indexed = questionWord(word.plain)
    if (!asked.has(indexed) && asked.size < WORDS_LOOKED_UP) asked.set(indexed, { ...word, word: indexed })
  }
  return asked
}
