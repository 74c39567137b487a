import type { Kysely } from 'kysely'
import { isFiller } from '../../language/words/words.ts'
import { CONFIDENCE_NEEDED, type Findings } from '../../model/findings.ts'
import type { Tables } from '../../storage/tables.ts'
import { rankPassages, WORDS_RANKED } from './ranking.ts'
import { weighQuestion } from './weigh-question.ts'
import { highestWeight } from './word-weights.ts'

/**
 * BM25's constants. K1 says how soon repetition stops counting: late, because each way to ask that contains a word
 * confirms the others. B says how much the score of long passages is reduced.
 */
const K1 = 3
const B = 0.75

/** The number of characters of a question that are read: a longer text is hardly a question beyond them. */
export const LONGEST_QUERY = 4000
/** The maximum number of index entries that are ranked when the question has more than one word. */
const PASSAGES_RANKED = 2000

/**
 * Finds the passages of an agent's documents that fit a question best, ranked by BM25, best first. Both engines give
 * the same answer for the same documents; passages with equal scores are in the order in which they were added.
 * @param without ids of passages that are treated as if they were not there
 */
export async function searchKnowledge(
  db: Kysely<Tables>,
  agentId: number,
  query: string,
  limit: number,
  without: readonly number[] = [],
): Promise<Findings> {
  const { words, threshold, ...index } = await weighQuestion(
    db,
    agentId,
    query.slice(0, LONGEST_QUERY),
    without,
  )
  const nothing: Findings = { words: [], passages: [], threshold: threshold ?? CONFIDENCE_NEEDED }
  if (words.length === 0 || index.passages <= 0) return nothing

  const known = words.filter(({ passages }) => passages > 0)
  const total = sumOf(words, 'evidence')
  const share = (evidence: number) => (total === 0 ? 0 : evidence / total)
  if (known.length === 0) return nothing

  const weightiest = known.sort((a, b) => b.weight - a.weight).slice(0, WORDS_RANKED)
  const rows = await rankPassages(db, {
    agentId,
    ...partFrequent(weightiest),
    base: K1 * (1 - B),
    perWord: (K1 * B) / index.meanLength,
    limit: limit + without.length,
  })
  const found = without.length === 0 ? rows : rows.filter(({ id }) => !without.includes(id)).slice(0, limit)
  return {
    ...nothing,
    words: words.flatMap(({ name, passages, weight }) =>
      name === null || isFiller(name) ? [] : [{ word: name, passages, weight: weight / 1e6 }],
    ),
    passages: found.map(({ score, found, ...passage }) => {
      const coverage = share(found)
      const strength = (score * (K1 + 1)) / highestWeight(index.passages)
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
