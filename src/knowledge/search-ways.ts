import type { Kysely } from 'kysely'
import type { Findings, FoundPassage } from '../model/findings.ts'
import type { Tables } from '../storage/tables.ts'
import { LONGEST_QUERY, searchKnowledge } from './search.ts'
import type { WaysToAsk } from './synonyms.ts'

/**
 * Searches as `searchKnowledge` does, for a question and for its wordings with synonyms. A passage keeps its result for
 * the wording that it fits best, so that one with a word and its synonym gains nothing by having both.
 */
export async function searchWays(
  db: Kysely<Tables>,
  agentId: number,
  question: string,
  waysToAsk: WaysToAsk,
  limit: number,
  leastCoverage = 0,
): Promise<Findings> {
  const [asked, ...others] = waysToAsk(question.slice(0, LONGEST_QUERY))
  const search = (way: string) => searchKnowledge(db, agentId, way, limit, leastCoverage)
  const [first, ...rest] = await Promise.all([search(asked), ...others.map(search)])
  if (rest.length === 0) return first
  const best = new Map<number, FoundPassage>()
  for (const passage of [first, ...rest].flatMap(({ passages }) => passages)) {
    const other = best.get(passage.id)
    if (!other || passage.score > other.score) best.set(passage.id, passage)
  }
  const passages = [...best.values()].sort((a, b) => b.score - a.score || a.id - b.id)
  return { ...first, passages: passages.slice(0, limit) }
}
