import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Bulk,
  type BulkKind,
  type BulkRow,
  type BulkTable,
  type BulkValue,
  type BulkWrites,
  kindOf,
  NOTES,
  namesIn,
  notesOf,
  PAGE_BYTES,
  PAGE_ROWS,
} from '../bulk.ts'

const OWN_KINDS: Record<string, BulkKind> = { real: 'double', blob: 'bytes' }

/**
 * Opens a SQLite database for reading and writing whole tables. It works on the event loop, so only commands use it.
 * @param isSource true: it is only read, as it is at this moment
 */
export function openSqliteBulk(file: string, isSource: boolean): Bulk {
  const database = new DatabaseSync(file, { readOnly: isSource, timeout: 5000 })
  database.exec('pragma cache_size = -65536')
  if (isSource) database.exec('begin')
  // Rows that are erased while they are copied leave nothing behind. That all rows refer to others that are there is
  // known once they are those of the source.
  else database.exec('pragma synchronous = normal; pragma secure_delete = on; pragma foreign_keys = off')
  const statements = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    const present = statements.get(sql)
    if (present) return present
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    statements.set(sql, statement)
    return statement
  }

  /** Returns the rows that a query selects, each as an array. */
  function all(sql: string, ...values: BulkValue[]): BulkRow[] {
    const rows: unknown = prepare(sql).all(...values)
    return rows as BulkRow[]
  }

  function behind(table: BulkTable, after: BulkRow | null): string {
    return after ? `where (${namesIn(table, table.key)}) > (${after.map(() => '?').join(', ')})` : ''
  }

  return {
    async tables(names) {
      return names.map((name) => {
        const columns = all('select name, lower(type), pk from pragma_table_info(?)', name)
        const references = all('select distinct "table" from pragma_foreign_key_list(?)', name)
        return {
          name,
          columns: columns.map(([column, type]) => ({
            name: String(column),
            kind: kindOf(String(type), OWN_KINDS),
          })),
          key: columns
            .map(([, , at], place) => ({ at: Number(at), place }))
            .filter(({ at }) => at > 0)
            .sort((a, b) => a.at - b.at)
            .map(({ place }) => place),
          references: references.map(([other]) => String(other)),
        }
      })
    },
    async read(table, after) {
      const query = prepare(
        `select ${namesIn(table)} from "${table.name}" ${behind(table, after)}
          order by ${namesIn(table, table.key)} limit ${PAGE_ROWS}`,
      )
      const rows: BulkRow[] = []
      let bytes = 0
      for (const row of query.iterate(...(after ?? [])) as Iterable<unknown>) {
        bytes += sizeOf(row as BulkRow)
        if (bytes > PAGE_BYTES && rows.length > 0) break
        rows.push(row as BulkRow)
      }
      return rows
    },
    async readKeys(table, keys, upTo) {
      const names = namesIn(table, table.key)
      const within = upTo ? `and (${names}) <= ${marksOf(table)}` : ''
      const sql = `select ${namesIn(table)} from "${table.name}" where (${names}) = ${marksOf(table)} ${within}`
      return keys.flatMap((key) => all(sql, ...key, ...(upTo ?? [])))
    },
    async renew() {
      database.exec('commit; begin')
    },
    async notes() {
      return notesOf(all(NOTES))
    },
    async count(table, after) {
      return Number(
        all(`select count(*) from "${table.name}" ${behind(table, after)}`, ...(after ?? []))[0]?.[0],
      )
    },
    async givenNumbers() {
      return new Map(
        all('select name, seq from sqlite_sequence').map(([name, seq]) => [String(name), seq as bigint]),
      )
    },
    async transaction(write) {
      database.exec('begin immediate')
      try {
        await write(writesOf(database, prepare, all))
        database.exec('commit')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    async close() {
      // Moves the copied rows from the log into the database file.
      if (!isSource) database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}

/** Returns the writes of a transaction that is open. */
function writesOf(
  database: DatabaseSync,
  prepare: (sql: string) => StatementSync,
  all: (sql: string) => BulkRow[],
): BulkWrites {
  return {
    async run(statement) {
      database.exec(statement)
    },
    async empty(tables) {
      for (const { name } of tables.toReversed()) database.exec(`delete from "${name}"`)
    },
    async insert(table, rows) {
      const marks = table.columns.map(() => '?').join(', ')
      const statement = prepare(`insert into "${table.name}" (${namesIn(table)}) values (${marks})`)
      for (const row of rows) statement.run(...row)
    },
    async delete(table, keys) {
      const statement = prepare(
        `delete from "${table.name}" where (${namesIn(table, table.key)}) = ${marksOf(table)}`,
      )
      for (const key of keys) statement.run(...key)
    },
    async dropReferences() {
      return []
    },
    async retireNumbers(given) {
      const numbered = all(
        `select name from sqlite_schema where type = 'table' and instr(lower(sql), 'autoincrement') > 0`,
      )
      for (const [name = ''] of numbered) {
        const number = given.get(String(name)) ?? 0n
        const { changes } = prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(
          number,
          name,
        )
        if (Number(changes) === 0)
          prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, number)
      }
    },
  }
}

function marksOf({ key }: BulkTable): string {
  return `(${key.map(() => '?').join(', ')})`
}

function sizeOf(row: BulkRow): number {
  let size = 0
  for (const value of row) size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return size
}
