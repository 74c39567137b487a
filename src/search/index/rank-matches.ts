import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { byPlace, type Match } from './find-matches.ts'
import { readIds } from './postings.ts'
import { idsOf } from './store.ts'

/** The last result of a page, from which the next page continues. */
export interface RankPosition {
  score: number
  id: number
  /** Its block's number, part and place in the index; null: it was not indexed yet. */
  place: readonly [block: number, part: number, place: number] | null
}

/**
 * Yields the matches that come after a position: the best first, of equal ones the newest. The cost depends on how many
 * are taken.
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
    // Erased, or found twice: it was read as a waiting text and has been indexed since.
    if (id === undefined || id === null || (place && waiting.has(id))) continue
    // It still waited when the previous page was made.
    if (after && score === after.score && place && !after.place && id >= after.id) continue
    yield { score, id, place }
  }
}

/** Yields matches in order, sorting no more than the caller takes: a page takes a few of thousands of matches. */
function* inOrder(matches: readonly Match[]): Generator<Match> {
  const byScore = Map.groupBy(matches, ({ score }) => score)
  for (const score of [...byScore.keys()].sort((a, b) => b - a)) yield* (byScore.get(score) ?? []).sort(byAge)
}

/** Orders the newest first: waiting texts by their ids, then indexed ones by their places. */
function byAge(a: Match, b: Match): number {
  if (a.place && b.place) return byPlace(a, b)
  if (a.place || b.place) return a.place ? 1 : -1
  return (b.id ?? 0) - (a.id ?? 0)
}

/** Tells whether a match comes after a position, as far as that is clear before the match's id is known. */
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
