/** The kind of a column's values. `single` is a number of half the precision, which only PostgreSQL has. */
export type BulkKind = 'integer' | 'double' | 'single' | 'text' | 'bytes'

export type BulkValue = bigint | number | string | Uint8Array | null

/** The values of a row, in the order of its table's columns. */
export type BulkRow = readonly BulkValue[]

/** A table as the database describes it. */
export interface BulkTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: BulkKind }[]
  /** The places of the primary key's columns among the columns. */
  readonly key: readonly number[]
  /** The tables that its rows refer to. */
  readonly references: readonly string[]
}

/** A note that a row of the source has changed. */
export interface Note {
  id: bigint
  table: string
  /** The row's key as JSON, with numbers as text. */
  key: string
}

/** A connection of its own that reads and writes whole tables in pages, the same way on both engines. */
export interface Bulk {
  /** Describes the tables of these names. */
  tables(names: readonly string[]): Promise<BulkTable[]>
  /**
   * Reads the next rows in the order of their key, at most `PAGE_ROWS` of them and about `PAGE_BYTES`.
   * @param after the key of the last row that was read; null at the beginning
   * @returns no rows at the end
   */
  read(table: BulkTable, after: BulkRow | null): Promise<BulkRow[]>
  /** Counts the rows after a key. */
  count(table: BulkTable, after: BulkRow | null): Promise<number>
  /** Reads the rows of some keys. @param upTo the last key that is read; null: all of them are */
  readKeys(table: BulkTable, keys: readonly BulkRow[], upTo: BulkRow | null): Promise<BulkRow[]>
  /** Goes on with the source as it is now. */
  renew(): Promise<void>
  /** Reads the notes of changes (`copy-notes.ts`), in the order of their ids. */
  notes(): Promise<Note[]>
  /** Returns the highest number that each table has given its rows, where the database keeps it. */
  givenNumbers(): Promise<Map<string, bigint>>
  transaction(write: (writes: BulkWrites) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Writes within a transaction. */
export interface BulkWrites {
  run(statement: string): Promise<void>
  /** Deletes all rows of tables, given in an order in which rows refer only to rows of tables before them. */
  empty(tables: readonly BulkTable[]): Promise<void>
  insert(table: BulkTable, rows: readonly BulkRow[]): Promise<void>
  delete(table: BulkTable, keys: readonly BulkRow[]): Promise<void>
  /** Lets rows refer to rows that are not there. @returns the statements that take this back */
  dropReferences(): Promise<string[]>
  /** Keeps each table from giving its rows numbers that were given before, by this database or as `given` says. */
  retireNumbers(given: ReadonlyMap<string, bigint>): Promise<void>
}

export const PAGE_ROWS = 2000
/** Keeps memory small however long the texts are. A row that is longer has a page of its own. */
export const PAGE_BYTES = 4 * 1024 * 1024

export function keyOf(table: BulkTable, row: BulkRow): BulkRow {
  return table.key.map((place) => row[place] ?? null)
}

/** Returns the names of columns as SQL. @param places those of the columns; absent: all columns */
export function namesIn(table: BulkTable, places: readonly number[] = [...table.columns.keys()]): string {
  return places.map((place) => `"${table.columns[place]?.name}"`).join(', ')
}

/** Returns the key that a text holds, which has numbers as text, too. */
export function parseKey(table: BulkTable, key: readonly string[]): BulkRow {
  const kindAt = (at: number) => table.columns[table.key[at] ?? 0]?.kind
  return key.map((value, at) => (kindAt(at) === 'integer' ? BigInt(value) : value))
}

/** The query for the notes of changes. */
export const NOTES = 'select id, table_name, key from copy_notes order by id'

/** Returns the notes that `NOTES` has selected. */
export function notesOf(rows: readonly BulkRow[]): Note[] {
  return rows.map(([id, table, key]) => ({ id: id as bigint, table: String(table), key: String(key) }))
}

const KINDS: Record<string, BulkKind> = {
  integer: 'integer',
  bigint: 'integer',
  text: 'text',
  'double precision': 'double',
}

/**
 * Returns the kind of a column by the name of its type.
 * @param own the kinds of the types that mean something else, or nothing, on the other engine
 */
export function kindOf(type: string, own: Readonly<Record<string, BulkKind>>): BulkKind {
  const kind = KINDS[type] ?? own[type]
  if (!kind) throw new Error(`a column is of the unknown type ${type}`)
  return kind
}
