import type { Kysely } from 'kysely'
import { isFiller, questionWords } from '../lib/words.ts'
import type { Findings } from '../model/knowledge-answerer.ts'
import type { Tables } from '../storage/tables.ts'
import {
  findOccurrences,
  lookUpWords,
  PASSAGES_RERANKED,
  type RankedPassage,
  type Ranking,
  rankPassages,
  WORDS_LOOKED_UP,
  WORDS_RANKED,
} from './ranking.ts'
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
  if (known.length === 0 || sumOf(known, 'evidence') < leastCoverage * total) return NOTHING

  const rows = await rank(db, {
    agentId,
    words: known.sort((a, b) => b.weight - a.weight).slice(0, WORDS_RANKED),
    base: K1 * (1 - B),
    perWord: (K1 * B * all) / length,
    limit,
  })
  return {
    words: words
      .filter(({ word }) => !isFiller(word))
      .map(({ word, passages, weight }) => ({ word, passages, weight: weight / 1e6 })),
    passages: rows.map(({ score, found, ...passage }) => {
      const coverage = total === 0 ? 0 : found / total
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

/** Ranks by the weightiest words alone where the others are in very many passages; those then rank the best of these. */
async function rank(db: Kysely<Tables>, ranking: Ranking): Promise<RankedPassage[]> {
  let sum = 0
  const first = ranking.words.filter(({ passages }, at) => {
    sum += passages
    return at === 0 || sum <= PASSAGES_RANKED
  })
  const others = ranking.words.slice(first.length)
  if (others.length === 0) return rankPassages(db, ranking)
  const best = await rankPassages(db, { ...ranking, words: first, limit: PASSAGES_RERANKED })
  const occurrences = await findOccurrences(
    db,
    ranking.agentId,
    others.map(({ word }) => word),
    best.map(({ id }) => id),
  )
  const ranked = new Map(best.map((passage) => [passage.id, { ...passage }]))
  const weights = new Map(others.map((word) => [word.word, word]))
  for (const { passage_id, word, count, length } of occurrences) {
    const passage = ranked.get(passage_id)
    const known = weights.get(word)
    if (!passage || !known || count === null) continue
    const saturated = count + ranking.base + ranking.perWord * length
    passage.score += Math.floor((known.weight * count) / saturated + 0.5)
    passage.found += known.evidence
  }
  return [...ranked.values()].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, ranking.limit)
}
