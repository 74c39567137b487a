import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { COUNTED, type Key, type List, type Position } from './list.ts'
import { chooseSearch, type Found, type ListSearch } from './list-search.ts'
import { readPageCursor, writePageCursor } from './page-cursor.ts'
import type { Tables } from './tables.ts'

/**
 * Reads a page of a list. The cost depends on the size of the page, not on the length of the list. With several
 * filters, the index of one of them finds rows, and a page examines at most 10,000 rows for the other filters. Such a
 * page may therefore have fewer rows than `per_page`, or none, and still have a next page.
 * @throws ApiError invalid_request for a cursor that does not belong to this list
 */
export async function selectPage<T extends keyof Tables, Row extends object>(
  db: Kysely<Tables>,
  list: List<T, Row>,
  { page, per_page, cursor, afterKey }: PageRequest,
): Promise<Page<Row>> {
  const known = cursor === undefined ? null : readPageCursor(cursor, list)
  const search = await chooseSearch(db, list)
  const found = known ?? (await search.findPage(afterKey ? 1 : page, per_page))
  const position = !known && afterKey ? { ...found, after: afterKey } : found
  const { total, isCapped } = position
  const isPastEnd = !known && !afterKey && page > 1 && (page - 1) * per_page >= total
  const { rows, next } = isPastEnd ? { rows: [], next: null } : await search.readOn(position.after, per_page)
  const nextCursor = next && writePageCursor(list, { ...position, page: position.page + 1, after: next })
  return { rows, total, isCapped, page: position.page, per_page, nextCursor }
}

/**
 * Reads a page of several lists with the same order as if they were one. Each is read by itself, along its own index.
 * @throws ApiError invalid_request as `selectPage` does
 */
export async function selectMergedPage<T extends keyof Tables, Row extends object>(
  db: Kysely<Tables>,
  lists: readonly [List<T, Row>, ...List<T, Row>[]],
  request: PageRequest,
): Promise<Page<Row>> {
  const [first] = lists
  if (lists.length === 1) return selectPage(db, first, request)
  const { per_page, afterKey = null, cursor } = request
  const known = cursor === undefined ? null : readPageCursor(cursor, first)
  const searches = await Promise.all(lists.map((list) => chooseSearch(db, list)))
  const { total, isCapped } =
    known ?? totalOf(await Promise.all(searches.map((search) => search.findPage(1, per_page))))
  const page = known?.page ?? (afterKey ? 1 : request.page)
  let after: Key | null = known?.after ?? afterKey
  // A page number is reached in strides, which cost less than the keys of all lists.
  for (let ahead = known ? 0 : (page - 1) * per_page; ahead > 0; ) {
    const { rows, next } = await readMerged(searches, first.order, after, Math.min(ahead, STRIDE))
    if (next === null) return { rows: [], total, isCapped, page, per_page, nextCursor: null }
    ahead -= rows.length
    after = next
  }
  const { rows, next } = await readMerged(searches, first.order, after, per_page)
  const nextCursor = next && writePageCursor(first, { total, isCapped, page: page + 1, after: next })
  return { rows, total, isCapped, page, per_page, nextCursor }
}

/** The most rows that are passed over at once. */
const STRIDE = 200

/** Reads the rows of several lists of the same order after a key. */
async function readMerged<T extends keyof Tables, Row extends object>(
  searches: readonly ListSearch<T, Row>[],
  order: 'asc' | 'desc',
  after: Key | null,
  per_page: number,
): Promise<Found<Row>> {
  const sign = order === 'desc' ? -1 : 1
  const parts = await Promise.all(
    searches.map(async (search) => {
      const { rows, next } = await search.readOn(after, per_page)
      return { rows: rows.map((row) => ({ row, key: search.keyOf(row) })), next }
    }),
  )
  const rows = parts.flatMap(({ rows }) => rows).sort((a, b) => sign * compareKeys(a.key, b.key))
  // Beyond the key at which a list stopped, rows of that list may be missing.
  const [end] = parts.flatMap(({ next }) => (next ? [next] : [])).sort((a, b) => sign * compareKeys(a, b))
  const sure = end ? rows.filter(({ key }) => sign * compareKeys(key, end) <= 0) : rows
  const shown = sure.slice(0, per_page)
  const isFull = shown.length === per_page && (end !== undefined || rows.length > per_page)
  return { rows: shown.map(({ row }) => row), next: isFull ? (shown.at(-1)?.key ?? null) : (end ?? null) }
}

function compareKeys(a: Key, b: Key): number {
  const at = a.findIndex((value, place) => value !== b[place])
  return at < 0 ? 0 : (a[at] as string) < (b[at] as string) ? -1 : 1
}

function totalOf(found: readonly Position[]): Pick<Position, 'total' | 'isCapped'> {
  const total = found.reduce((sum, one) => sum + one.total, 0)
  return {
    total: Math.min(total, COUNTED),
    isCapped: total > COUNTED || found.some(({ isCapped }) => isCapped),
  }
}
