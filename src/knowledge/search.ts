import type { Kysely } from 'kysely'
import { isFiller, questionWords } from '../lib/words/words.ts'
import { CONFIDENCE_NEEDED, type Findings } from '../model/findings.ts'
import type { Tables } from '../storage/tables.ts'
import { countAmong, lookUpWords, rankPassages, WORDS_LOOKED_UP, WORDS_RANKED } from './ranking.ts'
import { highestWeight, weighWord } from './word-weights.ts'

/**
 * BM25's constants. K1 says how soon repetition stops to count: late, because each way to ask that contains a word
 * confirms the others. B says how much the score of long passages is reduced.
 */
const K1 = 3
const B = 0.75

/** Only the beginning of a longer question is read: such a text contains a question at most. */
export const LONGEST_QUERY = 4000
/** How many index entries are ranked at most when the question has more than one word. */
const PASSAGES_RANKED = 2000

/**
 * Finds the passages of an agent's documents that fit a question best, ranked by BM25, best first. Both engines give
 * the same answer for the same documents; equal scores are in the order in which the documents were added.
 * @param leastCoverage passages that cover less are of no use. When none can cover as much, none is searched for
 * @param without ids of passages that are treated as if they were not there
 */
export async function searchKnowledge(
  db: Kysely<Tables>,
  agentId: number,
  query: string,
  limit: number,
  leastCoverage = 0,
  without: readonly number[] = [],
): Promise<Findings> {
  const asked = [...new Set(questionWords(query.slice(0, LONGEST_QUERY)))].slice(0, WORDS_LOOKED_UP)
  const { threshold, ...looked } = await lookUpWords(db, agentId, asked)
  const nothing: Findings = { words: [], passages: [], threshold: threshold ?? CONFIDENCE_NEEDED }
  const { words: length, counts } = looked
  const all = looked.passages - without.length
  if (asked.length === 0 || all <= 0) return nothing
  if (without.length > 0) {
    for (const [word, having] of await countAmong(db, agentId, asked, without))
      counts.set(word, (counts.get(word) ?? having) - having)
  }

  const words = asked.map((word) => {
    const passages = counts.get(word) ?? 0
    return { word, passages, ...weighWord(word, all, passages) }
  })
  const known = words.filter(({ passages }) => passages > 0)
  const total = sumOf(words, 'evidence')
  const share = (evidence: number) => (total === 0 ? 0 : evidence / total)
  if (known.length === 0 || share(sumOf(known, 'evidence')) < leastCoverage) return nothing

  const weightiest = known.sort((a, b) => b.weight - a.weight).slice(0, WORDS_RANKED)
  const rows = await rankPassages(db, {
    agentId,
    ...partFrequent(weightiest),
    base: K1 * (1 - B),
    perWord: (K1 * B * all) / length,
    limit: limit + without.length,
  })
  const found = without.length === 0 ? rows : rows.filter(({ id }) => !without.includes(id)).slice(0, limit)
  return {
    ...nothing,
    words: words
      .filter(({ word }) => !isFiller(word))
      .map(({ word, passages, weight }) => ({ word, passages, weight: weight / 1e6 })),
    passages: found.map(({ score, found, ...passage }) => {
      const coverage = share(found)
      const strength = (score * (K1 + 1)) / highestWeight(all)
      return {
        ...passage,
        score: (score * (K1 + 1)) / 1e6,
        coverage,
        confidence: coverage * Math.sqrt(strength),
        similarity: null,
      }
    }),
  }
}

function sumOf<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((sum, item) => sum + item[name], 0)
}

/** Separates the weightiest words, which find the candidates, from later words that are in very many passages. */
function partFrequent<Word extends { passages: number }>(words: readonly Word[]) {
  let sum = 0
  const end = words.findIndex(({ passages }, at) => {
    sum += passages
    return at > 0 && sum > PASSAGES_RANKED
  })
  return end === -1 ? { words, frequent: [] } : { words: words.slice(0, end), frequent: words.slice(end) }
}
