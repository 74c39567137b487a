import type { RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** The number up to which totals are counted, and page numbers reach. */
export const COUNTED = 10_000

/**
 * A list: rows that lie next to each other in an index, in the order of the index. Its columns are those of `of`, then
 * those of `key`.
 */
export interface List<T extends keyof Tables, Row> {
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

/** The values of the key of a row. */
export type Key = readonly (string | number)[]

/** The beginning of a page: after a certain row, or at the first row of the list. */
export interface Position {
  after: Key | null
  page: number
  total: number
  isCapped: boolean
}
