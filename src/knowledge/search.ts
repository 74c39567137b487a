import type { Kysely } from 'kysely'
import { indexWords } from '../lib/words.ts'
import type { Findings } from '../model/knowledge-answerer.ts'
import type { Tables } from '../storage/tables.ts'
import {
  countPassages,
  findTotals,
  type RankedWord,
  rankPassages,
  WORDS_LOOKED_UP,
  WORDS_RANKED,
} from './ranking.ts'

/** BM25's usual constants: how soon repetition stops to count, how much long passages are held back. */
const K1 = 1.2
const B = 0.75

/** A question is read this far; longer ones are texts with a question somewhere. */
const LONGEST_QUERY = 4000
/** Words that are in more passages than these together are left out once rarer ones are there. */
const PASSAGES_RANKED = 6000

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
  const ranked = wordsToRank(words)
  if (ranked.length === 0) return { words: [], passages: [] }
  const rows = await rankPassages(db, {
    agentId,
    words: ranked,
    base: K1 * (1 - B),
    perWord: (K1 * B * totals.passages) / totals.words,
    limit,
  })
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const unknown = idf(totals.passages, 0)
  return {
    words: words.map((word) => ({ ...word, weight: word.weight / 1e6 })),
    passages: rows.map(({ score, found, document_id: _, ...passage }) => {
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

/** The rarest words, as long as there are not too many passages to rank; at least one. */
function wordsToRank(words: readonly (RankedWord & { passages: number })[]): RankedWord[] {
  const ranked: RankedWord[] = []
  let sum = 0
  const known = words.filter(({ passages }) => passages > 0).sort((a, b) => a.passages - b.passages)
  for (const { word, weight, passages } of known) {
    sum += passages
    if (ranked.length === WORDS_RANKED || (ranked.length > 0 && sum > PASSAGES_RANKED)) break
    ranked.push({ word, weight })
  }
  return ranked
}
