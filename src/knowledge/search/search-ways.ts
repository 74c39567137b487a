import type { Kysely } from 'kysely'
import type { Findings, FoundPassage } from '../../model/findings.ts'
import type { Tables } from '../../storage/tables.ts'
import { LONGEST_QUERY, searchKnowledge } from './search.ts'
import type { WaysToAsk } from './synonyms.ts'

/** The most searches that are made for one message. */
const MOST_SEARCHES = 32

/**
 * The power of the coverage by which scores of several searches are compared: what fits all of a short question says
 * more than what fits a little of a long sentence.
 */
const COVERED = 0.75

/** The findings for a message. */
export interface FoundInMessage extends Findings {
  /** The part of the message that fits best. */
  asked: string
}

/**
 * Searches as `searchKnowledge` does, for each part of a message and for each of its wordings with synonyms. A passage
 * keeps the score of the search that it fits best: the rest of a message, and a word whose synonym it has, do not count
 * against it.
 */
export async function searchWays(
  db: Kysely<Tables>,
  agentId: number,
  parts: readonly string[],
  waysToAsk: WaysToAsk,
  limit: number,
): Promise<FoundInMessage> {
  const ways = parts
    .flatMap((part) => waysToAsk(part.slice(0, LONGEST_QUERY)).map((way) => ({ part, way })))
    .slice(0, MOST_SEARCHES)
  const found = await Promise.all(
    ways.map(async ({ part, way }) => ({ ...(await searchKnowledge(db, agentId, way, limit)), asked: part })),
  )
  const [first = { words: [], passages: [], threshold: 0, asked: '' }, ...rest] = found
  if (rest.length === 0) return first
  const best = new Map<number, { passage: FoundPassage; by: FoundInMessage }>()
  for (const by of found)
    for (const one of by.passages) {
      const passage = { ...one, score: one.score * one.coverage ** COVERED }
      if (passage.score > (best.get(one.id)?.passage.score ?? -1)) best.set(one.id, { passage, by })
    }
  const order = [...best.values()].sort(
    (a, b) => b.passage.score - a.passage.score || a.passage.id - b.passage.id,
  )
  const passages = order.slice(0, limit).map(({ passage }) => passage)
  return { ...(order[0]?.by ?? first), passages }
}
