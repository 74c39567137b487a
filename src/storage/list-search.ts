import { setImmediate as letOthers } from 'node:timers/promises'
import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { countRows } from './count-rows.ts'
import { COUNTED, type Filter, type Key, type List, type Position } from './list.ts'
import type { Tables } from './tables.ts'

/** The number of rows examined at once when only some of them belong to the list. */
const SLICE = 2000

type Rows<T extends keyof Tables, Row> = SelectQueryBuilder<Tables, T, Row>

/** Rows of a list. */
export interface Found<Row> {
  rows: Row[]
  /** The key after which the next page begins; null: there is none. */
  next: Key | null
}

interface Slice<T extends keyof Tables, Row> {
  rows: Rows<T, Row>
  /** The key of the last row that was examined. */
  end: Key | null
  isLast: boolean
}

/** Chooses the index of the filter that leaves the fewest rows, or of the first filter that leaves few. */
export async function chooseSearch<T extends keyof Tables, Row extends object>(
  db: Kysely<Tables>,
  { filters = [], ...list }: List<T, Row>,
): Promise<ListSearch<T, Row>> {
  const searches = filters.flatMap((filter) => {
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
    return [new ListSearch(db, { ...list, query, of }, sieve)]
  })
  const query = list.guard ? list.query.where(list.guard) : list.query
  let best = searches[0] ?? new ListSearch(db, { ...list, query }, filters)
  let fewest = Number.POSITIVE_INFINITY
  for (const search of searches.length > 1 ? searches : []) {
    const found = await search.countCandidates()
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

/** Tests whether a column has a value, written so that no engine uses an index on the column. */
function unindexed(column: string, value: string | number) {
  const place = sql.ref(column)
  return sql<SqlBool>`coalesce(${place}, ${place}) = ${value}`
}

/** The search for the rows of a list: one index finds candidates, and the sieve drops those that do not match. */
export class ListSearch<T extends keyof Tables, Row extends object> {
  readonly #db: Kysely<Tables>
  readonly #list: Omit<List<T, Row>, 'filters'>
  readonly #sieve: readonly Filter[]

  constructor(db: Kysely<Tables>, list: Omit<List<T, Row>, 'filters'>, sieve: readonly Filter[]) {
    this.#db = db
    this.#list = list
    this.#sieve = sieve
  }

  /** Counts the rows that the index finds, up to one more than totals are counted. */
  countCandidates(): Promise<number> {
    return this.#count(this.#inOrder(this.#within(null, null)).limit(COUNTED + 1))
  }

  /** Counts the list and finds the row before a page. */
  async findPage(page: number, per_page: number): Promise<Position> {
    const skip = (page - 1) * per_page
    let after: Key | null = null
    if (this.#sieve.length === 0) {
      const found = await this.countCandidates()
      const total = Math.min(found, COUNTED)
      if (skip > 0 && skip < total) [after = null] = await this.#keysFrom(this.#within(null, null), skip, 1)
      return { after, page, total, isCapped: found > COUNTED }
    }
    let total = 0
    let isCapped = true
    for await (const { rows, isLast } of this.#slices(null)) {
      const found = await this.#count(rows)
      if (total < skip && skip <= total + found) [after = null] = await this.#keysFrom(rows, skip - total, 1)
      total += found
      if (isLast) isCapped = false
    }
    return { after, page, total, isCapped }
  }

  /** Reads the rows after a key. */
  async readOn(after: Key | null, per_page: number): Promise<Found<Row>> {
    const rows: Row[] = []
    let next: Key | null = null
    const parts =
      this.#sieve.length > 0
        ? this.#slices(after)
        : [{ rows: this.#within(after, null), end: null, isLast: true }]
    for await (const part of parts) {
      const missing = per_page + 1 - rows.length
      rows.push(...(await this.#inOrder(part.rows).limit(missing).execute()))
      if (rows.length > per_page) {
        rows.pop()
        const last = rows.at(-1)
        return { rows, next: last ? this.keyOf(last) : null }
      }
      next = part.isLast ? null : part.end
    }
    return { rows, next }
  }

  keyOf(row: Row): Key {
    return this.#list.key.map((column) => row[column] as string | number)
  }

  /**
   * Returns the parts of the list that are examined for the sieve, `COUNTED` rows in all. Serves other requests in
   * between.
   */
  async *#slices(after: Key | null): AsyncGenerator<Slice<T, Row>> {
    let begin = after
    for (let examined = 0; examined < COUNTED; examined += SLICE) {
      if (examined > 0) await letOthers()
      const [end = null, more] = await this.#keysFrom(this.#within(begin, null), SLICE, 2)
      const rows = this.#within(begin, more ? end : null)
      yield { rows: this.#sieved(rows), end, isLast: !more }
      if (!more) return
      begin = end
    }
  }

  /**
   * Selects the rows of the list after one key and up to another. Without a guard, the rows are selected as a range of
   * the whole index. If the columns of `of` were compared with `=`, PostgreSQL would also consider any other index that
   * ends in the same order, such as the primary key, and read all of it to reach a row at its far end. PostgreSQL ends
   * such a range by its first column only.
   */
  #within(after: Key | null, end: Key | null): Rows<T, Row> {
    const { query, of, order, guard, key, least, most } = this.#list
    const isUp = order === 'asc'
    const [first, last] = isUp ? [least, most] : [most, least]
    const common = Object.entries(of)
    const ranged = guard ? [] : common
    const names = [...ranged.map(([column]) => column), ...key].map((column) => sql.ref(column))
    const bounds: [operator: string, key: Key][] = [
      after ? [isUp ? '>' : '<', after] : [isUp ? '>=' : '<=', first === undefined ? [] : [first]],
      [isUp ? '<=' : '>=', end ?? (last === undefined ? [] : [last])],
    ]
    let rows = query
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
  #sieved(rows: Rows<T, Row>): Rows<T, Row> {
    return this.#sieve.reduce(
      (rest, { column, value, condition }) => rest.where(condition ?? unindexed(column, value)),
      rows,
    )
  }

  /** Sorts rows by the columns of the index. */
  #inOrder(rows: Rows<T, Row>): Rows<T, Row> {
    const { of, key, order } = this.#list
    return [...Object.keys(of), ...key].reduce(
      (ordered, column) => ordered.orderBy(sql.ref(column), order),
      rows,
    )
  }

  /** Reads up to `count` keys of rows, beginning with the row at `place`; the first row has place 1. */
  async #keysFrom(rows: Rows<T, Row>, place: number, count: number): Promise<Key[]> {
    const columns = this.#list.key.map((column) => sql<string | number>`${sql.ref(column)}`.as(column))
    const found = await this.#inOrder(rows)
      .clearSelect()
      .select(columns)
      .limit(count)
      .offset(place - 1)
      .$castTo<Record<string, string | number>>()
      .execute()
    return found.map((row) => Object.values(row))
  }

  #count(rows: Rows<T, Row>): Promise<number> {
    const counted = rows.clearSelect().select(sql<number>`1`.as('one')).as('counted')
    return countRows(this.#db.selectFrom(counted))
  }
}
