import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import { runPieces } from './backfills.ts'
import { refuseUnfinishedCopy } from './copy/unfinished-copy.ts'
import type { Engine } from './engine.ts'
import type { Change, IndexStep, Migration, Step } from './migration.ts'
import { migrations as all } from './migrations.ts'
import { missingPolicies } from './row-security.ts'
import type { Tables } from './tables.ts'
import { changeOfTrigger, readTriggers, type Trigger } from './triggers.ts'
import { yieldingTransaction } from './yielding-transaction.ts'

export interface MigrateOptions {
  /** Receives a description of the next step. */
  report?: (words: string) => void
  /** Ends the work between two steps with an AbortError; the next `migrate` resumes there. */
  signal?: AbortSignal
  /** The migrations to run; those of this version by default. */
  migrations?: readonly Migration[]
  /** The triggers that the database gets once its schema is complete. */
  triggers?: readonly Trigger[]
  /** True while a copy is made into the database; otherwise an unfinished copy is refused. */
  isCopy?: boolean
}

interface Work {
  migrations: readonly Migration[]
  triggers: readonly Trigger[]
  db: Kysely<Tables>
  engine: Engine
  report: (words: string) => void
  signal: AbortSignal | undefined
}

/** An arbitrary number that no other program uses in the same database. */
const ADVISORY_LOCK = 7_162_534_401

/**
 * Brings the schema up to date while others work on the database. An empty database gets all of it in one transaction;
 * otherwise each step of each missing migration is committed by itself, so that the next process resumes where one that
 * died stopped. Then the triggers and the policies of row-level security are made what they are today.
 * @returns the names of the migrations that this call has completed
 * @throws when the database has a migration that this version does not know
 */
export async function migrate(
  database: Kysely<Tables>,
  engine: Engine,
  { report = () => {}, signal, migrations = all, triggers = [], isCopy = false }: MigrateOptions = {},
): Promise<string[]> {
  // One connection for all of it: if it is lost, the lock goes together with everything that relies on it.
  return acrossAgents('migrations change the rows of all agents', () =>
    database.connection().execute(async (db) => {
      const work = { migrations, triggers, db, engine, report, signal }
      return alone(work, async () => {
        await transaction(work, createLog)
        if (await transaction(work, (db) => createAll(work, db))) return migrations.map(({ name }) => name)
        if (!isCopy) await refuseUnfinishedCopy(db)
        const log = await readLog(work, db)
        const completed: string[] = []
        for (const migration of migrations) {
          if (!log.has(migration.name) && (await apply(work, migration))) completed.push(migration.name)
        }
        await replaceTriggers(work)
        await replacePolicies(work)
        return completed
      })
    }),
  )
}

/**
 * Lets in one process at a time on PostgreSQL. On SQLite each step checks in its transaction whether it is still to be
 * done. A process that waits for the lock polls: the building of an index would wait for a query that waits.
 */
async function alone<T>({ db, engine, report, signal }: Work, work: () => Promise<T>): Promise<T> {
  if (engine.kind !== 'postgres') return work()
  const key = sql.lit(ADVISORY_LOCK)
  const isMine = async () => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${key}) as mine`.execute(db)
    return rows[0]?.mine
  }
  for (let tries = 0; !(await isMine()); tries++) {
    if (tries === 0) report('another process changes the schema: waiting for it')
    await wait(100, undefined, { signal })
  }
  try {
    // Building an index may take longer than the time-out.
    await sql`set statement_timeout = 0`.execute(db)
    return await work()
  } finally {
    await sql`reset statement_timeout`.execute(db)
    await sql`select pg_advisory_unlock(${key})`.execute(db)
  }
}

/** Creates the tables that say how far the schema has come. */
async function createLog(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('backfills')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
}

/** Reads the completed migrations, and the completed steps of the one under way, named as `stepName` does. */
async function readLog({ migrations }: Work, db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const log = new Set(rows.map(({ name }) => name))
  for (const name of log) {
    if (!migrations.some((migration) => migration.name === name.split('#')[0]))
      throw new Error(`the database was written by a newer version of Parley (${name})`)
  }
  return log
}

async function record(db: Kysely<Tables>, name: string): Promise<void> {
  await sql`insert into schema_migrations (name, applied_at) values (${name}, ${new Date().toISOString()})`.execute(
    db,
  )
}

/** Creates the whole schema in an empty database; returns true if it did. */
async function createAll(work: Work, db: Kysely<Tables>): Promise<boolean> {
  if ((await readLog(work, db)).size > 0) return false
  for (const { name, steps } of work.migrations) {
    for (const step of steps) {
      if (typeof step === 'function') await step(db, work.engine)
      else if ('index' in step && isFor(work, step)) await replaceIndex(db, step)
    }
    await record(db, name)
  }
  const found = await readTriggers(db, work.engine.kind)
  for (const trigger of work.triggers)
    await changeOfTrigger(work.engine.kind, trigger, found.get(trigger.name))?.(db)
  for (const change of await missingPolicies(db, work.engine)) await change(db)
  return true
}

/** Replaces the triggers that are not as they are today, each in a transaction of its own. */
async function replaceTriggers(work: Work): Promise<void> {
  const { db, engine, triggers } = work
  const found = await readTriggers(db, engine.kind)
  for (const trigger of triggers) {
    const change = changeOfTrigger(engine.kind, trigger, found.get(trigger.name))
    if (!change) continue
    work.signal?.throwIfAborted()
    work.report(`trigger ${trigger.name}`)
    await transaction(work, change)
  }
}

/** Holds the tables to the scope of the session that are not held yet, each in a transaction of its own. */
async function replacePolicies(work: Work): Promise<void> {
  const missing = await missingPolicies(work.db, work.engine)
  if (missing.length > 0) work.report('row-level security')
  for (const change of missing) {
    work.signal?.throwIfAborted()
    await transaction(work, change)
  }
}

const stepName = (migration: Migration, step: number) => `${migration.name}#${step + 1}`

/** Completes a migration. Returns false when another process completed it. */
async function apply(work: Work, migration: Migration): Promise<boolean> {
  const { steps, name } = migration
  let isMine = false
  for (const [at, step] of steps.entries()) {
    work.signal?.throwIfAborted()
    const recorded = stepName(migration, at)
    const isDone = async (db: Kysely<Tables>) => {
      const log = await readLog(work, db)
      return log.has(recorded) || log.has(name)
    }
    if (await isDone(work.db)) continue
    const about = `${name}${steps.length > 1 ? ` ${at + 1}/${steps.length}` : ''}${inWords(step)}`
    work.report(about)
    const finish = await prepare({ ...work, report: (words) => work.report(`${about}: ${words}`) }, step)
    isMine = await transaction(work, async (db) => {
      if (await isDone(db)) return false
      await finish(db, work.engine)
      await record(db, recorded)
      if (at < steps.length - 1) return false
      await sql`delete from schema_migrations where name like ${`${name}#%`}`.execute(db)
      await record(db, name)
      return true
    })
  }
  return isMine
}

function inWords(step: Step): string {
  if (typeof step === 'function') return ''
  return 'index' in step ? `: index ${step.index}` : `: ${step.pieces.name}`
}

/** Does the slow part of a step; returns the change that is left for one transaction. */
async function prepare(work: Work, step: Step): Promise<Change> {
  if (typeof step === 'function') return step
  if ('pieces' in step) {
    await runPieces(work, step.pieces)
    return async () => {}
  }
  if (!isFor(work, step)) return async () => {}
  if (work.engine.kind !== 'postgres') return (db) => replaceIndex(db, step)
  await buildAside(work, step)
  return async (db) => {
    await db.schema.dropIndex(step.index).ifExists().execute()
    await sql`alter index ${sql.ref(asideName(step))} rename to ${sql.ref(step.index)}`.execute(db)
  }
}

const isFor = ({ engine }: Work, { only = engine.kind }: IndexStep) => only === engine.kind

async function replaceIndex(db: Kysely<Tables>, { index, define }: IndexStep): Promise<void> {
  await db.schema.dropIndex(index).ifExists().execute()
  await sql.raw(define(db.schema.createIndex(index)).compile().sql).execute(db)
}

const asideName = ({ index }: IndexStep) => `${index}_next`

/** Builds an index under another name while others write. Anything that an interrupted build left is of no use. */
async function buildAside(work: Work, step: IndexStep): Promise<void> {
  const { db } = work
  const name = asideName(step)
  const { sql: definition } = step.define(db.schema.createIndex(name)).compile()
  const create = definition.replace(/^create (unique )?index /, 'create $1index concurrently ')
  await whenFree(work, async () => {
    const { rows } = await sql<{ is_valid: boolean }>`
      select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
    if (rows[0]?.is_valid) return
    if (rows[0]) await sql`drop index concurrently ${sql.ref(name)}`.execute(db)
    await sql.raw(create).execute(db)
  })
}

/** Runs a transaction that gives up, and tries again, when it does not get a table soon. */
async function transaction<T>(work: Work, change: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return whenFree(work, () => yieldingTransaction(work.db, work.engine, change))
}

/** The number of attempts that, with the pauses, take about five minutes. */
const MOST_ATTEMPTS = 200
const LONGEST_PAUSE_MS = 2000

/** Tries again, after pauses of growing and random length, while others hold what the attempt needs. */
async function whenFree<T>({ engine, report, signal }: Work, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!engine.isLocked(error) || attempts === MOST_ATTEMPTS) throw error
      if (attempts % 20 === 1) report('waiting for others to let go of a table')
    }
    await wait(Math.random() * Math.min(LONGEST_PAUSE_MS, 100 * attempts) + 20, undefined, { signal })
  }
}
