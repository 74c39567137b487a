import type { Kysely } from 'kysely'
import { indexWords } from '../lib/words.ts'
import type { Findings } from '../model/knowledge-answerer.ts'
import type { Tables } from '../storage/tables.ts'
import {
  countPassages,
  findOccurrences,
  findTotals,
  PASSAGES_RERANKED,
  type RankedPassage,
  type Ranking,
  rankPassages,
  WORDS_LOOKED_UP,
  WORDS_RANKED,
} from './ranking.ts'

/** BM25's usual constants: how soon repetition stops to count, how much long passages are held back. */
const K1 = 1.2
const B = 0.75

/** A question is read this far; longer ones are texts with a question somewhere. */
const LONGEST_QUERY = 4000
/** How many entries of the index are ranked at most, where more than one word is asked for. */
const PASSAGES_RANKED = 2000

/**
 * Finds the passages of an agent's documents that fit a question best, ranked by BM25, best first. The same
 * documents give the same answer on both engines, equal scores in the order they were added.
 */
export async function searchKnowledge(
  db: Kysely<Tables>,
  agentId: number,
  query: string,
  limit: number,
): Promise<Findings> {
  const asked = [...new Set(indexWords(query.slice(0, LONGEST_QUERY)))].slice(0, WORDS_LOOKED_UP)
  if (asked.length === 0) return { words: [], passages: [] }
  const [[totals], counts] = await Promise.all([
    findTotals(db, { agentId }),
    countPassages(db, agentId, asked),
  ])
  if (!totals || totals.passages === 0) return { words: [], passages: [] }

  const words = asked
    .map((word) => ({ word, passages: counts.get(word) ?? 0 }))
    .map(({ word, passages }) => ({ word, passages, weight: idf(totals.passages, passages) }))
  const known = words
    .filter(({ passages }) => passages > 0)
    .sort((a, b) => a.passages - b.passages)
    .slice(0, WORDS_RANKED)
  if (known.length === 0) return { words: [], passages: [] }
  const rows = await rank(db, {
    agentId,
    words: known,
    base: K1 * (1 - B),
    perWord: (K1 * B * totals.passages) / totals.words,
    limit,
  })
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const unknown = idf(totals.passages, 0)
  return {
    words: words.map((word) => ({ ...word, weight: word.weight / 1e6 })),
    passages: rows.map(({ score, found, ...passage }) => {
      const coverage = found / total
      return {
        ...passage,
        score: (score * (K1 + 1)) / 1e6,
        coverage,
        confidence: (coverage * score * (K1 + 1)) / unknown,
      }
    }),
  }
}

/** Fewer passages than these say little about which words are rare: as many are taken to be there. */
const FEWEST_PASSAGES = 50

/** In whole millionths, so that sums of them are exact in any order. */
function idf(total: number, passages: number): number {
  const others = Math.max(total, FEWEST_PASSAGES) - passages
  return Math.round(Math.log(1 + (others + 0.5) / (passages + 0.5)) * 1e6)
}

/** Ranks by the rarer words alone where the others are in very many passages; those then rank the best of these. */
async function rank(db: Kysely<Tables>, ranking: Ranking): Promise<RankedPassage[]> {
  let sum = 0
  const rarer = ranking.words.filter(({ passages }, at) => {
    sum += passages
    return at === 0 || sum <= PASSAGES_RANKED
  })
  const frequent = ranking.words.slice(rarer.length)
  if (frequent.length === 0) return rankPassages(db, ranking)
  const best = await rankPassages(db, { ...ranking, words: rarer, limit: PASSAGES_RERANKED })
  const occurrences = await findOccurrences(
    db,
    ranking.agentId,
    frequent.map(({ word }) => word),
    best.map(({ id }) => id),
  )
  const ranked = new Map(best.map((passage) => [passage.id, { ...passage }]))
  const weights = new Map(frequent.map(({ word, weight }) => [word, weight]))
  for (const { passage_id, word, count, length } of occurrences) {
    const passage = ranked.get(passage_id)
    const weight = weights.get(word)
    if (!passage || weight === undefined || count === null) continue
    passage.score += Math.floor((weight * count) / (count + ranking.base + ranking.perWord * length) + 0.5)
    passage.found += weight
  }
  return [...ranked.values()].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, ranking.limit)
}
