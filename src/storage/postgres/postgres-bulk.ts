import pg from 'pg'
import { errorCode } from '../../lib/error-code.ts'
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
import { LOCK_NOT_AVAILABLE } from './postgres-failures.ts'

const OWN_KINDS: Record<string, BulkKind> = { real: 'single', bytea: 'bytes' }
const TYPES: Record<BulkKind, string> = {
  integer: 'bigint',
  text: 'text',
  single: 'real',
  double: 'double precision',
  bytes: 'bytea',
}
const SNAPSHOT = 'begin isolation level repeatable read read only'
const CONNECT_LIMIT_MS = 5000
/** An arbitrary number that no other program uses in the same database. */
const COPY_LOCK = 7_162_534_402
const OTHER_LIMIT_MS = 5000
const PARSERS: Record<number, (text: string) => unknown> = {
  20: BigInt,
  21: BigInt,
  23: BigInt,
  700: Number,
  701: Number,
}

/** A table of this schema, for the system's own catalogue. */
const OURS = `relkind = 'r' and relnamespace = current_schema()::regnamespace`
const REFERENCES = `pg_constraint join pg_class on pg_class.oid = conrelid and contype = 'f' and ${OURS}`

/** Selects the columns that number their rows, with their sequences. */
const SEQUENCES = `select relname::text, attname::text, pg_get_serial_sequence(quote_ident(relname), attname)
  from pg_attribute join pg_class on pg_class.oid = attrelid where attidentity <> '' and ${OURS}`

/**
 * Connects to a PostgreSQL database for reading and writing whole tables.
 * @param isSource true: it is only read, as it is at this moment
 */
export async function openPostgresBulk(url: string, isSource: boolean): Promise<Bulk> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => PARSERS[type] ?? pg.types.getTypeParser(type, format as 'text'),
    },
  })
  // The query that waits gets the error of a lost connection; without a listener, it would also end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query('set statement_timeout = 0')
  await client.query('set idle_in_transaction_session_timeout = 0')
  if (isSource) await client.query(SNAPSHOT)
  else {
    await client.query('set synchronous_commit = off')
    await lockAlone(client)
  }
  return bulkOf(client)
}

function bulkOf(client: pg.Client): Bulk {
  const all = (text: string, values?: readonly unknown[]) => rowsOf(client, text, values)
  return {
    async tables(names) {
      const columns = await all(
        `select relname::text, attname::text, format_type(atttypid, null), array_position(indkey::int[], attnum::int)
        from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
          left join pg_index on indrelid = pg_class.oid and indisprimary
        where ${OURS} and relname = any($1) order by 1, attnum`,
        [names],
      )
      const references = await all(
        `select distinct relname::text, confrelid::regclass::text from ${REFERENCES}`,
      )
      return [...Map.groupBy(columns, ([table]) => String(table))].map(([name, columns]) => ({
        name,
        columns: columns.map(([, column, type]) => ({
          name: String(column),
          kind: kindOf(String(type), OWN_KINDS),
        })),
        key: columns
          .map(([, , , at], place) => ({ at, place }))
          .filter(({ at }) => at !== null)
          .sort((a, b) => Number(a.at) - Number(b.at))
          .map(({ place }) => place),
        references: references.filter(([table]) => table === name).map(([, other]) => String(other)),
      }))
    },
    async read(table, after) {
      const [names, key] = [namesIn(table), namesIn(table, table.key)]
      const sizes = table.columns
        .filter(({ kind }) => kind === 'text' || kind === 'bytes')
        .map(({ name }) => `coalesce(octet_length("${name}"), 0)`)
      // The sizes are known without reading long values. Only rows that are returned are read whole.
      return all(
        `select ${names} from (
          select *, sum(${['0', ...sizes].join(' + ')}) over (order by ${key} rows unbounded preceding) as bytes_so_far,
            row_number() over (order by ${key}) as row_so_far
          from (select ${names} from "${table.name}" ${behind(table, after)} order by ${key} limit ${PAGE_ROWS}) as page
        ) as sized where bytes_so_far <= ${PAGE_BYTES} or row_so_far = 1 order by ${key}`,
        after ?? [],
      )
    },
    async readKeys(table, keys, upTo) {
      const last = parametersOf(table, table.key.length + 1)
      const within = upTo ? `and (${namesIn(table, table.key)}) <= (${last.join(', ')})` : ''
      return all(`select ${namesIn(table)} from "${table.name}" where ${among(table)} ${within}`, [
        ...arraysOf(table, keys),
        ...(upTo ?? []),
      ])
    },
    async renew() {
      await client.query('commit')
      await client.query(SNAPSHOT)
    },
    notes: async () => notesOf(await all(NOTES)),
    async count(table, after) {
      const [row] = await all(`select count(*) from "${table.name}" ${behind(table, after)}`, after ?? [])
      return Number(row?.[0])
    },
    async givenNumbers() {
      const given = new Map<string, bigint>()
      for (const [table, , sequence] of await all(SEQUENCES)) {
        const [row] = await all('select pg_sequence_last_value($1::regclass)', [sequence])
        if (typeof row?.[0] === 'bigint') given.set(String(table), row[0])
      }
      return given
    },
    async transaction(write) {
      await client.query('begin')
      // Nobody else works on a target, so its rows are locked in no order.
      await client.query(`set local lock_timeout = '${OTHER_LIMIT_MS}'`)
      try {
        await write(writesOf(client))
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
    close: () => client.end(),
  }
}

function writesOf(client: pg.Client): BulkWrites {
  const run = async (statement: string) => void (await client.query(statement))
  return {
    run,
    empty: (tables) => run(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`),
    async insert(table, rows) {
      const arrays = table.columns.map(({ kind }, at) => `$${at + 1}::${TYPES[kind]}[]`)
      await client.query({
        name: `insert ${table.name}`,
        text: `insert into "${table.name}" (${namesIn(table)}) select * from unnest(${arrays.join(', ')})`,
        values: table.columns.map((_, at) => rows.map((row) => row[at])),
      })
    },
    async delete(table, keys) {
      await rowsOf(client, `delete from "${table.name}" where ${among(table)}`, arraysOf(table, keys))
    },
    async dropReferences() {
      const text = `select relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid) from ${REFERENCES}`
      const references = await rowsOf(client, text)
      for (const [table, name] of references) await run(`alter table "${table}" drop constraint "${name}"`)
      return references.map(
        ([table, name, text]) => `alter table "${table}" add constraint "${name}" ${text}`,
      )
    },
    async retireNumbers(given) {
      for (const [table, column, sequence] of await rowsOf(client, SEQUENCES))
        await client.query(
          `select setval($1, last) from (select greatest($2::bigint, max("${column}")) as last from "${table}") as given
            where last > 0`,
          [sequence, given.get(String(table)) ?? 0n],
        )
    },
  }
}

/** Returns the rows that a query selects, each as an array. */
async function rowsOf(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<BulkRow[]> {
  const { rows } = await client.query<BulkValue[]>({ text, values: [...values], rowMode: 'array' })
  return rows
}

/** Returns a condition for rows after a key, whose values are the first parameters. */
function behind(table: BulkTable, after: BulkRow | null): string {
  return after ? `where (${namesIn(table, table.key)}) > (${parametersOf(table).join(', ')})` : ''
}

/** Returns a condition for rows whose keys are among the first parameters, an array for each column of the key. */
function among(table: BulkTable): string {
  const arrays = parametersOf(table).map((parameter) => `${parameter}[]`)
  return `(${namesIn(table, table.key)}) in (select * from unnest(${arrays.join(', ')}))`
}

function arraysOf(table: BulkTable, keys: readonly BulkRow[]) {
  return table.key.map((_, at) => keys.map((key) => key[at]))
}

/** @throws Error if another copy writes to the database and does not end soon, as one does whose process has died */
async function lockAlone(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = '${OTHER_LIMIT_MS}'`)
  await client.query(`select pg_advisory_lock(${COPY_LOCK})`).catch((error: unknown) => {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new Error('another copy is being made into this database')
  })
  await client.query('reset lock_timeout')
}

/** Returns parameters for the columns of a table's key. @param first the number of the first of them */
function parametersOf({ key, columns }: BulkTable, first = 1): string[] {
  const kinds = key.map((place) => columns[place]?.kind ?? 'text')
  return kinds.map((kind, at) => `$${first + at}::${TYPES[kind]}`)
}
