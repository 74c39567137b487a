import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { byPlace, type Match } from './find-matches.ts'
import { readIds } from './postings.ts'
import { idsOf } from './store.ts'

/** Where a page of results ended. */
export interface RankPosition {
  score: number
  id: number
  /** Its block's number, part and place in the index; null: it stood in none. */
  place: readonly [block: number, part: number, place: number] | null
}

/**
 * The matches that come after a position, in their order: the best first, of equal ones the newest. What it costs
 * depends on how many are taken.
 */
export async function* rankMatches(
  db: Kysely<Tables>,
  matches: readonly Match[],
  after: RankPosition | null,
): AsyncGenerator<RankPosition> {
  const waiting = new Set(matches.flatMap(({ place, id }) => (place === null && id !== null ? id : [])))
  const idsOfPart = memoIds(db)
  for (const { score, place: at, id: known } of inOrder(matches)) {
    const place = at && ([at[0], at[1], at[2]] as const)
    if (after && !isBehind(score, place, known, after)) continue
    const id = known ?? (at && (await idsOfPart(at[3], at[1]))[at[2]])
    // Erased, or indexed since it was read as one that waits.
    if (id === undefined || id === null || (place && waiting.has(id))) continue
    // It waited when the page before was made.
    if (after && score === after.score && place && !after.place && id >= after.id) continue
    yield { score, id, place }
  }
}

/** Sorts only as far as is asked for: of thousands of matches a page has a few. */
function* inOrder(matches: readonly Match[]): Generator<Match> {
  const byScore = Map.groupBy(matches, ({ score }) => score)
  for (const score of [...byScore.keys()].sort((a, b) => b - a)) yield* (byScore.get(score) ?? []).sort(byAge)
}

/** The newest first: those that wait, by their ids, then those of the index by their places. */
function byAge(a: Match, b: Match): number {
  if (a.place && b.place) return byPlace(a, b)
  if (a.place || b.place) return a.place ? 1 : -1
  return (b.id ?? 0) - (a.id ?? 0)
}

/** Whether a match comes after a position, as far as it can be told before its id is known. */
function isBehind(
  score: number,
  place: RankPosition['place'],
  id: number | null,
  after: RankPosition,
): boolean {
  if (score !== after.score) return score < after.score
  if (!place) return !after.place && (id ?? 0) < after.id
  if (!after.place) return true
  const differing = place.findIndex((number, at) => number !== after.place?.[at])
  return differing >= 0 && (place[differing] ?? 0) < (after.place[differing] ?? 0)
}

/** Reads the ids of each part once. */
function memoIds(db: Kysely<Tables>) {
  const parts = new Map<string, Promise<number[]>>()
  return (blockId: number, part: number): Promise<number[]> => {
    const key = `${blockId} ${part}`
    const ids = parts.get(key) ?? idsOf(db, blockId, part).then((bytes) => (bytes ? readIds(bytes) : []))
    parts.set(key, ids)
    return ids
  }
}
