import { type Compilable, type CreateIndexBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** A change of the schema in steps. Each step is committed by itself, and is then not run again. */
export interface Migration {
  name: string
  steps: readonly Step[]
  /** The work that its steps leave to the background. */
  backfills?: readonly Backfill[]
}

export type Step = Change | IndexStep | PiecesStep

/**
 * Changes the schema in one transaction, which takes milliseconds however large the tables are, since others wait for
 * it. On PostgreSQL it is undone and tried again when it would itself have to wait for a table.
 */
export type Change = (db: Kysely<Tables>, engine: Engine) => Promise<void>

/** An index, built without keeping others from writing. It replaces one of the same name. */
export interface IndexStep {
  index: string
  define(builder: CreateIndexBuilder): Compilable
}

/** Changes rows in small transactions before the next step: for what must be done before new code runs. */
export interface PiecesStep {
  pieces: Backfill
}

/** Changes the rows of a large table in pieces, beside all other work. A process that dies loses one piece. */
export interface Backfill {
  name: string
  /** Selects where the first piece begins, as `at`; null when there is nothing to do. */
  begin: RawBuilder<{ at: string | number | null }>
  /**
   * Does one piece in the transaction given.
   * @param at where it begins
   * @param size about how many rows it looks at
   * @returns where the next one begins: null after the last, and `at` again when others have to end something first
   */
  piece(db: Kysely<Tables>, at: string, size: number, engine: Engine): Promise<string | null>
}

/** Names an index that is to be built. @param define its table, columns and condition */
export function index(name: string, define: IndexStep['define']): IndexStep {
  return { index: name, define }
}

type Key = string | number

/**
 * A backfill of all rows that a table has when it begins, the highest key first.
 * @param work changes the rows with these keys, which are in descending order
 */
export function backfillOf(
  name: string,
  [table, key]: readonly [table: string, key: string],
  work: (db: Kysely<Tables>, keys: readonly [Key, ...Key[]], engine: Engine) => Promise<void>,
): Backfill {
  const of = sql.table(table)
  const by = sql.ref(key)
  return {
    name,
    begin: sql`select max(${by}) as at from ${of}`,
    async piece(db, at, size, engine) {
      const { rows } = await sql<{ key: Key }>`
        select ${by} as key from ${of} where ${by} <= ${at}
        order by ${by} desc limit ${sql.lit(size + 1)}`.execute(db)
      const [first, ...others] = rows.slice(0, size).map(({ key }) => key)
      if (first !== undefined) await work(db, [first, ...others], engine)
      return rows.length > size ? String(rows[size]?.key) : null
    },
  }
}

/** Leaves a backfill to the background. */
export function later({ name, begin }: Backfill): Change {
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
