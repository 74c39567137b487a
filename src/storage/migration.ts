import {
  type Compilable,
  type CreateIndexBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** A change of the schema in steps. Each step is committed by itself, and is then not run again. */
export interface Migration {
  name: string
  steps: readonly Step[]
  /** The backfills that its steps leave to the background. */
  backfills?: readonly Backfill[]
}

export type Step = Change | IndexStep | PiecesStep

/**
 * A change of the schema in one transaction. It takes milliseconds however large the tables are, since others wait for
 * it. On PostgreSQL it is undone and tried again when it would itself have to wait for a table.
 */
export type Change = (db: Kysely<Tables>, engine: Engine) => Promise<void>

/** An index that is built without keeping others from writing. It replaces one of the same name. */
export interface IndexStep {
  index: string
  /** The engine, if only one needs the index. */
  only?: Engine['kind']
  define(builder: CreateIndexBuilder): Compilable
}

/** A step that changes rows in small transactions, for changes that must be complete before new code runs. */
interface PiecesStep {
  pieces: Backfill
}

/** A change of the rows of a large table in pieces, while other work goes on. A process that dies loses one piece. */
export interface Backfill {
  name: string
  /** Selects the place where the first piece begins, as `at`; null when there is nothing to do. */
  begin: RawBuilder<{ at: string | number | null }>
  /**
   * Does one piece in the transaction given.
   * @param at the place where it begins
   * @param size the rough number of rows it looks at
   * @returns the beginning of the next piece: null after the last, and `at` again when others have to end something
   * first
   */
  piece(db: Kysely<Tables>, at: string, size: number, engine: Engine): Promise<string | null>
}

/** Names an index that is to be built. @param define its table, columns and condition */
export function index(name: string, define: IndexStep['define']): IndexStep {
  return { index: name, define }
}

/** Adds columns that are null in all rows. `id` is the type of other tables' keys. */
export function addColumns(
  table: string,
  columns: Readonly<Record<string, 'text' | 'integer' | 'id'>>,
): Change {
  return async (db, { identityType }) => {
    for (const [name, type] of Object.entries(columns))
      await db.schema
        .alterTable(table)
        .addColumn(name, type === 'id' ? identityType : type)
        .execute()
  }
}

/**
 * Adds the columns of the work engine to a table that is created, without `due_at`, and without `waits`, which
 * `0141-waits.ts` adds. Migrations that have run use it, so it stays as it is.
 */
export function workColumns<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
) {
  return table
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('deaths', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('parked_at', 'text')
    .addColumn('failure', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
}

/**
 * Orders the last column of a primary key by bytes on PostgreSQL, as SQLite does. The new key is built while other work
 * goes on, and then replaces the old one: `alter column` would build it while everybody waits.
 */
export function orderByBytes(
  table: string,
  constraint: string,
  [scope, column]: readonly [scope: string, column: string],
): readonly Step[] {
  const inBytes = `${table}_in_bytes`
  const bytes = sql`${sql.ref(column)} collate "C"`
  return [
    {
      ...index(inBytes, (create) => create.unique().on(table).column(scope).expression(bytes)),
      only: 'postgres',
    },
    async (db, { kind }) => {
      if (kind !== 'postgres') return
      const [alter, key] = [sql`alter table ${sql.table(table)}`, sql.ref(constraint)]
      await sql`${alter} drop constraint ${key}`.execute(db)
      await sql`${alter} alter column ${sql.ref(column)} type text collate "C"`.execute(db)
      await sql`${alter} add constraint ${key} primary key using index ${sql.ref(inBytes)}`.execute(db)
    },
  ]
}

/**
 * Creates a backfill of all rows of a table, from the highest key down, which ends with the rows that the table has
 * when it begins. Only the last column of the key may hold spaces.
 * @param work changes the rows for which `within` is true
 */
export function backfillOf(
  name: string,
  [table, ...key]: readonly [table: string, ...key: string[]],
  work: (db: Kysely<Tables>, within: RawBuilder<SqlBool>, engine: Engine) => Promise<void>,
  order: 'desc' | 'asc' = 'desc',
): Backfill {
  const of = sql.table(table)
  const columns = key.map((column) => sql.ref(`${table}.${column}`))
  const place = sql.join(columns, sql` || ' ' || `)
  const ordered = sql.join(columns.map((column) => sql`${column} ${sql.raw(order)}`))
  const [from, to] = order === 'desc' ? ['<=', '>='] : ['>=', '<=']
  const compare = (operator: string | undefined, at: string) => {
    const words = at.split(' ')
    const last = words.splice(key.length - 1).join(' ')
    return sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(operator ?? '')} (${sql.join([...words, last])})`
  }
  return {
    name,
    begin: sql`select ${place} as at from ${of} order by ${ordered} limit 1`,
    async piece(db, at, size, engine) {
      const { rows } = await sql<{ at: string | number }>`
        select ${place} as at from ${of} where ${compare(from, at)}
        order by ${ordered} limit ${sql.lit(size + 1)}`.execute(db)
      const last = rows.slice(0, size).at(-1)
      if (last) await work(db, sql`${compare(from, at)} and ${compare(to, String(last.at))}`, engine)
      return rows.length > size ? String(rows[size]?.at) : null
    },
  }
}

/**
 * Makes a backfill begin only when all transactions that were open at its turn have ended. Until then its place is
 * `after:<transaction>:<place>`: the first transaction that it need not wait for, which is empty before its turn, and the
 * place where it begins.
 */
export function afterOthers({ name, begin, piece }: Backfill): Backfill {
  return {
    name,
    begin: sql`select 'after::' || at as at from (${begin}) as beginning`,
    async piece(db, at, size, engine) {
      const [, awaited, place] = /^after:(\d*):(.*)$/s.exec(at) ?? []
      if (place === undefined) return piece(db, at, size, engine)
      if (engine.kind !== 'postgres') return place
      const { rows } = await sql<{ oldest: string; next: string }>`
        select pg_snapshot_xmin(it)::text as oldest, pg_snapshot_xmax(it)::text as next
        from pg_current_snapshot() as it`.execute(db)
      const { oldest = '0', next = '' } = rows[0] ?? {}
      if (!awaited) return `after:${next}:${place}`
      return BigInt(oldest) >= BigInt(awaited) ? place : at
    },
  }
}

/** Leaves a backfill to the background. */
export function later({ name, begin }: Pick<Backfill, 'name' | 'begin'>): Change {
  return async (db) => {
    const at = (await begin.execute(db)).rows[0]?.at ?? null
    if (at === null) return
    await db
      .insertInto('backfills')
      .values({ name, at: String(at) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
