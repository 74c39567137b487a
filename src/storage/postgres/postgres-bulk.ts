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

const OWN_KINDS: Record<string, BulkKind> = { real: 'single', bytea: 'bytes' }
const ARRAYS: Record<BulkKind, string> = {
  integer: 'bigint[]',
  text: 'text[]',
  single: 'real[]',
  double: 'double precision[]',
  bytes: 'bytea[]',
}
const SNAPSHOT = 'begin isolation level repeatable read read only'
const CONNECT_LIMIT_MS = 5000
/** An arbitrary number that no other program uses in the same database. */
const COPY_LOCK = 7_162_534_402
const OTHER_LIMIT_MS = 5000
const LOCK_NOT_AVAILABLE = '55P03'
const PARSERS: Record<number, (text: string) => unknown> = {
  21: BigInt,
  23: BigInt,
  20: BigInt,
  700: Number,
  701: Number,
}

/** A table of this schema, for the system's own catalogue. */
const OURS = `relkind = 'r' and relnamespace = current_schema()::regnamespace`

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
  const run = async (statement: string) => void (await client.query(statement))
  await run('set statement_timeout = 0')
  await run('set idle_in_transaction_session_timeout = 0')
  if (isSource) await run(SNAPSHOT)
  else {
    await run('set synchronous_commit = off')
    await lockAlone(client)
  }

  async function all(text: string, values: readonly unknown[] = []): Promise<BulkRow[]> {
    const { rows } = await client.query<BulkValue[]>({ text, values: [...values], rowMode: 'array' })
    return rows
  }

  function behind(table: BulkTable, after: BulkRow | null): string {
    if (!after) return ''
    const values = typesOf(table).map((type, at) => `$${at + 1}::${type}`)
    return `where (${namesIn(table, table.key)}) > (${values.join(', ')})`
  }

  /** Returns a condition for rows whose keys are among the first parameters, an array for each column of the key. */
  const among = (table: BulkTable) =>
    `(${namesIn(table, table.key)}) in (select * from unnest(${typesOf(table).map((type, at) => `$${at + 1}::${type}[]`)}))`
  const arraysOf = (table: BulkTable, keys: readonly BulkRow[]) =>
    table.key.map((_, at) => keys.map((key) => key[at]))

  /** Returns the columns that number their rows, with their sequences. */
  const sequences = () =>
    all(`select relname::text, attname::text, pg_get_serial_sequence(quote_ident(relname), attname)
      from pg_attribute join pg_class on pg_class.oid = attrelid where attidentity <> '' and ${OURS}`)

  const writes: BulkWrites = {
    run,
    async empty(tables) {
      await run(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`)
    },
    async insert(table, rows) {
      const arrays = table.columns.map(({ kind }, at) => `$${at + 1}::${ARRAYS[kind]}`)
      const text = `insert into "${table.name}" (${namesIn(table)}) select * from unnest(${arrays.join(', ')})`
      await client.query({
        name: `insert ${table.name}`,
        text,
        values: table.columns.map((_, at) => rows.map((row) => row[at])),
      })
    },
    async delete(table, keys) {
      await all(`delete from "${table.name}" where ${among(table)}`, arraysOf(table, keys))
    },
    async dropReferences() {
      const references = await all(`
        select relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid)
        from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'f' and ${OURS}`)
      for (const [table, name] of references) await run(`alter table "${table}" drop constraint "${name}"`)
      return references.map(
        ([table, name, text]) => `alter table "${table}" add constraint "${name}" ${text}`,
      )
    },
    async retireNumbers(given) {
      for (const [table, column, sequence] of await sequences())
        await client.query(
          `select setval($1, last) from (select greatest($2::bigint, max("${column}")) as last from "${table}") as given
            where last > 0`,
          [sequence, given.get(String(table)) ?? 0n],
        )
    },
  }

  return {
    async tables(names) {
      const columns = await all(
        `select relname::text, attname::text, format_type(atttypid, null), array_position(indkey::int[], attnum::int)
        from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
          left join pg_index on indrelid = pg_class.oid and indisprimary
        where ${OURS} and relname = any($1) order by 1, attnum`,
        [names],
      )
      const references = await all(`
        select distinct relname::text, confrelid::regclass::text
        from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'f' and ${OURS}`)
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
      const names = namesIn(table, table.key)
      const types = typesOf(table)
      const last = types.map((type, at) => `$${types.length + at + 1}::${type}`)
      const within = upTo ? `and (${names}) <= (${last.join(', ')})` : ''
      return all(`select ${namesIn(table)} from "${table.name}" where ${among(table)} ${within}`, [
        ...arraysOf(table, keys),
        ...(upTo ?? []),
      ])
    },
    async renew() {
      await run('commit')
      await run(SNAPSHOT)
    },
    async notes() {
      return notesOf(await all(NOTES))
    },
    async count(table, after) {
      return Number(
        (await all(`select count(*) from "${table.name}" ${behind(table, after)}`, after ?? []))[0]?.[0],
      )
    },
    async givenNumbers() {
      const given = new Map<string, bigint>()
      for (const [table, , sequence] of await sequences()) {
        const [row] = await all('select pg_sequence_last_value($1::regclass)', [sequence])
        if (typeof row?.[0] === 'bigint') given.set(String(table), row[0])
      }
      return given
    },
    async transaction(write) {
      await run('begin')
      // Nobody else works on a target, so its rows are locked in no order.
      await run(`set local lock_timeout = '${OTHER_LIMIT_MS}'`)
      try {
        await write(writes)
        await run('commit')
      } catch (error) {
        await run('rollback').catch(() => {})
        throw error
      }
    },
    async close() {
      await client.end()
    },
  }
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

/** Returns the types of the columns of a table's key. */
function typesOf(table: BulkTable): string[] {
  return table.key.map((place) => ARRAYS[table.columns[place]?.kind ?? 'text'].slice(0, -2))
}
