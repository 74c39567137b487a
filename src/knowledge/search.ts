import type { Kysely } from 'kysely'
import { isFiller, questionWords } from '../lib/words.ts'
import type { Findings } from '../model/knowledge-answerer.ts'
import type { Tables } from '../storage/tables.ts'
import { lookUpWords, rankPassages, WORDS_LOOKED_UP, WORDS_RANKED } from './ranking.ts'
import { highestWeight, weighWord } from './word-weights.ts'

/**
 * BM25's constants: how soon repetition stops to count (late, as each way to ask that has a word confirms the others),
 * and how much long passages are held back.
 */
const K1 = 3
const B = 0.75

/** A question is read this far; longer ones are texts with a question somewhere. */
const LONGEST_QUERY = 4000
/** How many entries of the index are ranked at most, where more than one word is asked for. */
const PASSAGES_RANKED = 2000

const NOTHING: Findings = { words: [], passages: [] }

/**
 * Finds the passages of an agent's documents that fit a question best, ranked by BM25, best first. The same
 * documents give the same answer on both engines, equal scores in the order they were added.
 * @param leastCoverage below it no passage is of use: when none can have as much, none is looked for
 */
export async function searchKnowledge(
  db: Kysely<Tables>,
  agentId: number,
  query: string,
  limit: number,
  leastCoverage = 0,
): Promise<Findings> {
  const asked = [...new Set(questionWords(query.slice(0, LONGEST_QUERY)))].slice(0, WORDS_LOOKED_UP)
  if (asked.length === 0) return NOTHING
  const { passages: all, words: length, counts } = await lookUpWords(db, agentId, asked)
  if (all === 0) return NOTHING

  const words = asked.map((word) => {
    const passages = counts.get(word) ?? 0
    return { word, passages, ...weighWord(word, all, passages) }
  })
  const known = words.filter(({ passages }) => passages > 0)
  const total = sumOf(words, 'evidence')
  const share = (evidence: number) => (total === 0 ? 0 : evidence / total)
  if (known.length === 0 || share(sumOf(known, 'evidence')) < leastCoverage) return NOTHING

  const weightiest = known.sort((a, b) => b.weight - a.weight).slice(0, WORDS_RANKED)
  const rows = await rankPassages(db, {
    agentId,
    ...partFrequent(weightiest),
    base: K1 * (1 - B),
    perWord: (K1 * B * all) / length,
    limit,
  })
  return {
    words: words
      .filter(({ word }) => !isFiller(word))
      .map(({ word, passages, weight }) => ({ word, passages, weight: weight / 1e6 })),
    passages: rows.map(({ score, found, ...passage }) => {
      const coverage = share(found)
      const strength = (score * (K1 + 1)) / highestWeight(all)
      return {
        ...passage,
        score: (score * (K1 + 1)) / 1e6,
        coverage,
        confidence: coverage * Math.sqrt(strength),
      }
    }),
  }
}

function sumOf<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((sum, item) => sum + item[name], 0)
}

/** Parts the weightiest words, which passages are looked for by, from those after them that are in very many passages. */
function partFrequent<Word extends { passages: number }>(words: readonly Word[]) {
  let sum = 0
  const end = words.findIndex(({ passages }, at) => {
    sum += passages
    return at > 0 && sum > PASSAGES_RANKED
  })
  return end === -1 ? { words, frequent: [] } : { words: words.slice(0, end), frequent: words.slice(end) }
}
