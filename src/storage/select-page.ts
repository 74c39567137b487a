import { createHash } from 'node:crypto'
import { setImmediate as letOthers } from 'node:timers/promises'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import type { Tables } from './tables.ts'

/** The number up to which totals are counted, and page numbers reach. */
const COUNTED = 10_000
/** The number of rows examined at once when only some of them belong to the list. */
const SLICE = 2000

/**
 * A list: rows that lie next to each other in an index, in the order of the index. Its columns are those of `of`, then
 * those of `key`.
 */
interface List<T extends keyof Tables, Row> {
  /** Selects the columns of a row, including those of the key. If the index has a predicate, the query states it. */
  query: SelectQueryBuilder<Tables, T, Row>
  /** The column values that all rows of the list share. */
  of: Readonly<Record<string, string | number>>
  /** The predicate of the index. It is always true, and keeps queries that do not state it from using the index. */
  guard?: RawBuilder<SqlBool>
  /** Columns that are unique together. Each is an integer, a time, named `at` or `…_at`, or one of `texts`. */
  key: readonly (keyof Row & string)[]
  texts?: readonly string[]
  order: 'asc' | 'desc'
  /** Bounds of the key's first column, both inclusive. */
  least?: string | number | undefined
  most?: string | number | undefined
  /** A list with filters needs a guard, because it has several indexes that end in the same order. */
  filters?: readonly Filter[]
}

/** Keeps only the rows of a list that have a certain value in a column. */
export interface Filter {
  column: string
  value: string | number
  /** The test in place of that of a column. `column` and `value` then only tell the filter from others. */
  condition?: RawBuilder<SqlBool>
  /**
   * The index in which these rows lie next to each other, given by its columns before those of the key; null when there
   * is none.
   */
  index: { of: List<keyof Tables, unknown>['of']; predicate?: RawBuilder<SqlBool> } | null
}

type Key = readonly (string | number)[]

/** The beginning of a page: after a certain row, or at the first row of the list. */
interface Position {
  after: Key | null
  page: number
  total: number
  isCapped: boolean
}

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
  const known = cursor === undefined ? null : readCursor(cursor, list)
  const search = await chooseSearch(db, list)
  const found = known ?? (await findPage(db, search, afterKey ? 1 : page, per_page))
  const position = !known && afterKey ? { ...found, after: afterKey } : found
  const { total, isCapped } = position
  const isPastEnd = !known && !afterKey && page > 1 && (page - 1) * per_page >= total
  const { rows, next } = isPastEnd ? { rows: [], next: null } : await readOn(search, position.after, per_page)
  const nextCursor = next && writeCursor(list, { ...position, page: position.page + 1, after: next })
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
  const known = cursor === undefined ? null : readCursor(cursor, first)
  const searches = await Promise.all(lists.map((list) => chooseSearch(db, list)))
  const found =
    known ?? totalOf(await Promise.all(searches.map((search) => findPage(db, search, 1, per_page))))
  const { total, isCapped } = found
  const page = known?.page ?? (afterKey ? 1 : request.page)
  let after: Key | null = known?.after ?? afterKey
  // A page number is reached in strides, which cost less than the keys of all lists.
  for (let ahead = known ? 0 : (page - 1) * per_page; ahead > 0; ) {
    const { rows, next } = await readMerged(searches, after, Math.min(ahead, STRIDE))
    if (next === null) return { rows: [], total, isCapped, page, per_page, nextCursor: null }
    ahead -= rows.length
    after = next
  }
  const { rows, next } = await readMerged(searches, after, per_page)
  const nextCursor = next && writeCursor(first, { total, isCapped, page: page + 1, after: next })
  return { rows, total, isCapped, page, per_page, nextCursor }
}

/** The most rows that are passed over at once. */
const STRIDE = 200

interface Merged<Row> {
  rows: Row[]
  /** The key after which the next page begins; null: there is none. */
  next: Key | null
}

/** Reads the rows of several lists after a key. */
async function readMerged<T extends keyof Tables, Row extends object>(
  searches: readonly Search<T, Row>[],
  after: Key | null,
  per_page: number,
): Promise<Merged<Row>> {
  const sign = searches[0]?.order === 'desc' ? -1 : 1
  const parts = await Promise.all(searches.map((search) => readOn(search, after, per_page)))
  const rows = parts
    .flatMap(({ rows }, at) =>
      rows.map((row) => ({ row, key: keyOf(searches[at] as Search<T, Row>, row) as Key })),
    )
    .sort((a, b) => sign * compareKeys(a.key, b.key))
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

/** The search for the rows of a list: one index finds candidates, and the sieve drops those that do not match. */
interface Search<T extends keyof Tables, Row> extends Omit<List<T, Row>, 'filters'> {
  sieve: readonly Filter[]
}

/** Chooses the index of the filter that leaves the fewest rows, or of the first filter that leaves few. */
async function chooseSearch<T extends keyof Tables, Row extends object>(
  db: Kysely<Tables>,
  { filters = [], ...list }: List<T, Row>,
): Promise<Search<T, Row>> {
  const searches = filters.flatMap((filter): Search<T, Row>[] => {
    // Another filter's index has fewer rows, and this filter keeps all of them.
    const isWider = filters.some((other) => other !== filter && implies(other, filter))
    if (!filter.index || isWider) return []
    const { of, predicate } = filter.index
    const sieve = filters.filter((other) => other !== filter && !implies(filter, other))
    const common = Object.entries(list.of).filter(([column]) => !(column in of))
    const conditions = common.map(([column, value]) => unindexed(column, value))
    const query = [...(predicate ? [predicate] : []), ...conditions].reduce(
      (rest, condition) => rest.where(condition),
      list.query,
    )
    return [{ ...list, query, of, sieve }]
  })
  const query = list.guard ? list.query.where(list.guard) : list.query
  let best = searches[0] ?? { ...list, query, sieve: filters }
  let fewest = Number.POSITIVE_INFINITY
  for (const search of searches.length > 1 ? searches : []) {
    const found = await countRows(db, inOrder(search, within(search, null, null)).limit(COUNTED + 1))
    if (found < fewest) best = search
    fewest = Math.min(fewest, found)
    if (fewest <= SLICE) break
  }
  return best
}

/** Tells whether another filter keeps all rows in the index of one. */
function implies({ index }: Filter, { column, value }: Filter): boolean {
  return index?.of[column] === value
}

/** Counts a list and finds the row before the page. */
async function findPage<T extends keyof Tables, Row extends object>(
  db: Kysely<Tables>,
  list: Search<T, Row>,
  page: number,
  per_page: number,
): Promise<Position> {
  const skip = (page - 1) * per_page
  let after: Key | null = null
  if (list.sieve.length === 0) {
    const rows = within(list, null, null)
    const found = await countRows(db, inOrder(list, rows).limit(COUNTED + 1))
    const total = Math.min(found, COUNTED)
    if (skip > 0 && skip < total) [after = null] = await keysFrom(list, rows, skip, 1)
    return { after, page, total, isCapped: found > COUNTED }
  }
  let total = 0
  let isCapped = true
  for await (const { rows, isLast } of slicesOf(list, null)) {
    const found = await countRows(db, rows)
    if (total < skip && skip <= total + found) [after = null] = await keysFrom(list, rows, skip - total, 1)
    total += found
    if (isLast) isCapped = false
  }
  return { after, page, total, isCapped }
}

/** Reads the rows after a key, and returns the key after which the next page begins. */
async function readOn<T extends keyof Tables, Row extends object>(
  list: Search<T, Row>,
  after: Key | null,
  per_page: number,
): Promise<{ rows: Row[]; next: Key | null }> {
  const rows: Row[] = []
  let next: Key | null = null
  const parts =
    list.sieve.length > 0
      ? slicesOf(list, after)
      : [{ rows: within(list, after, null), end: null, isLast: true }]
  for await (const part of parts) {
    const missing = per_page + 1 - rows.length
    rows.push(...(await inOrder(list, part.rows).limit(missing).execute()))
    if (rows.length > per_page) {
      rows.pop()
      return { rows, next: keyOf(list, rows.at(-1)) }
    }
    next = part.isLast ? null : part.end
  }
  return { rows, next }
}

interface Slice<T extends keyof Tables, Row> {
  rows: SelectQueryBuilder<Tables, T, Row>
  /** The key of the last row that was examined. */
  end: Key | null
  isLast: boolean
}

/**
 * Returns the parts of a list that are examined for its sieve, `COUNTED` rows in all. Serves other requests in between.
 */
async function* slicesOf<T extends keyof Tables, Row extends object>(
  list: Search<T, Row>,
  after: Key | null,
): AsyncGenerator<Slice<T, Row>> {
  let begin = after
  for (let examined = 0; examined < COUNTED; examined += SLICE) {
    if (examined > 0) await letOthers()
    const [end = null, more] = await keysFrom(list, within(list, begin, null), SLICE, 2)
    const rows = within(list, begin, more ? end : null)
    yield { rows: sieved(list, rows), end, isLast: !more }
    if (!more) return
    begin = end
  }
}

/**
 * Selects the rows of a list after one key and up to another. Without a guard, the rows are selected as a range of the
 * whole index. If the columns of `of` were compared with `=`, PostgreSQL would also consider any other index that ends
 * in the same order, such as the primary key, and read all of it to reach a row at its far end. PostgreSQL ends such a
 * range by its first column only.
 */
function within<T extends keyof Tables, Row>(list: Search<T, Row>, after: Key | null, end: Key | null) {
  const { order, guard, least, most } = list
  const isUp = order === 'asc'
  const [first, last] = isUp ? [least, most] : [most, least]
  const common = Object.entries(list.of)
  const ranged = guard ? [] : common
  const names = [...ranged.map(([column]) => column), ...list.key].map((column) => sql.ref(column))
  const bounds: [operator: string, key: Key][] = [
    after ? [isUp ? '>' : '<', after] : [isUp ? '>=' : '<=', first === undefined ? [] : [first]],
    [isUp ? '<=' : '>=', end ?? (last === undefined ? [] : [last])],
  ]
  let rows = list.query
  if (guard)
    for (const [column, value] of common) rows = rows.where(sql<SqlBool>`${sql.ref(column)} = ${value}`)
  // One bound in each direction: of two, SQLite seeks by only one, which may be the wider one.
  for (const [operator, key] of bounds) {
    const values = [...ranged.map(([, value]) => value), ...key]
    if (values.length === 0) continue
    const columns = sql.join(names.slice(0, values.length))
    rows = rows.where(sql<SqlBool>`(${columns}) ${sql.raw(operator)} (${sql.join(values)})`)
  }
  return rows
}

/** Applies the filters that the index does not serve. */
function sieved<T extends keyof Tables, Row>(
  { sieve }: Search<T, Row>,
  rows: SelectQueryBuilder<Tables, T, Row>,
) {
  return sieve.reduce(
    (rest, { column, value, condition }) => rest.where(condition ?? unindexed(column, value)),
    rows,
  )
}

/** Tests whether a column has a value, written so that no engine uses an index on the column. */
function unindexed(column: string, value: string | number) {
  const place = sql.ref(column)
  return sql<SqlBool>`coalesce(${place}, ${place}) = ${value}`
}

function inOrder<T extends keyof Tables, Row>(
  list: Search<T, Row>,
  rows: SelectQueryBuilder<Tables, T, Row>,
) {
  return columnsOf(list).reduce((ordered, column) => ordered.orderBy(sql.ref(column), list.order), rows)
}

/** Returns the columns of the index. */
function columnsOf<T extends keyof Tables, Row>({ of, key }: Search<T, Row>): string[] {
  return [...Object.keys(of), ...key]
}

/** Reads up to `count` keys of rows, beginning with the row at `place`; the first row has place 1. */
async function keysFrom<T extends keyof Tables, Row>(
  list: Search<T, Row>,
  rows: SelectQueryBuilder<Tables, T, Row>,
  place: number,
  count: number,
): Promise<Key[]> {
  const columns = list.key.map((column) => sql<string | number>`${sql.ref(column)}`.as(column))
  const found = await inOrder(list, rows)
    .clearSelect()
    .select(columns)
    .limit(count)
    .offset(place - 1)
    .$castTo<Record<string, string | number>>()
    .execute()
  return found.map((row) => Object.values(row))
}

function keyOf<T extends keyof Tables, Row>({ key }: Search<T, Row>, row: Row | undefined): Key | null {
  return row ? key.map((column) => row[column] as string | number) : null
}

async function countRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  rows: SelectQueryBuilder<Tables, T, Row>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.clearSelect().select(sql<number>`1`.as('one')).as('counted'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const text = z
  .string()
  .max(255)
  .refine((value) => !value.includes('\u0000'))

/** Creates the schema of a cursor: the list that it belongs to, and a position in it. */
function cursorSchema(key: readonly string[], texts: readonly string[] = []) {
  const ofColumn = (column: string) => {
    if (texts.includes(column)) return text
    return /(^|_)at$/.test(column) ? z.iso.datetime() : z.int().min(0)
  }
  const after = z
    .array(z.union([z.string(), z.number()]))
    .length(key.length)
    .refine((values) => values.every((value, at) => ofColumn(key[at] ?? '').safeParse(value).success))
  return z.tuple([z.string(), after, z.int().min(1), z.int().min(0).max(COUNTED), z.boolean()])
}

function writeCursor<T extends keyof Tables, Row>(list: List<T, Row>, position: Position): string {
  const { after, page, total, isCapped } = position
  return Buffer.from(JSON.stringify([bindingOf(list), after, page, total, isCapped])).toString('base64url')
}

function readCursor<T extends keyof Tables, Row>(cursor: string, list: List<T, Row>): Position {
  const { data } = cursorSchema(list.key, list.texts).safeParse(
    parseOrNull(Buffer.from(cursor, 'base64url').toString()),
  )
  if (!data || data[0] !== bindingOf(list)) {
    throw invalidField('cursor', 'must be the next_cursor of a page of this list with the same filters')
  }
  const [, after, page, total, isCapped] = data
  return { after, page, total, isCapped }
}

/** Returns a text that identifies a list together with its filters. */
function bindingOf<T extends keyof Tables, Row>({
  query,
  of,
  order,
  least,
  most,
  filters = [],
}: List<T, Row>) {
  const wanted = filters.map(({ column, value }) => [column, value])
  const all = JSON.stringify([query.compile().sql, of, order, least, most, wanted])
  return createHash('sha256').update(all).digest('base64url').slice(0, 16)
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
