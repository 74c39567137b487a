import { type Kysely, sql, type TableMetadata } from 'kysely'
import { openBackfills } from './backfills.ts'
import type { Engine } from './engine.ts'
import type { IndexStep, Migration } from './migration.ts'
import { migrations as all } from './migrations.ts'
import { beatingVersions, livingVersions, type VersionCount } from './presence.ts'
import type { Tables } from './tables.ts'

/** A step that `migrate` will do. */
export interface PendingStep {
  migration: string
  /** `change`: milliseconds. `index`: a table is indexed. `rows`: rows are changed before the new version serves. */
  kind: 'change' | 'index' | 'rows'
  /** The index or the backfill. */
  name?: string
  /** The rows that it reads; absent for changes. */
  rows?: number
  /** The seconds, in tenths, for which nobody can write: of indexes on SQLite. All other steps let others pass. */
  blocksSeconds: number
}

interface UpgradeCheck {
  /** False for a database without tables, which gets all of them at the first start. */
  hasSchema: boolean
  steps: PendingStep[]
  /** The parts that are left to the background: those of earlier upgrades, and those of the pending migrations. */
  background: string[]
  /** Migrations that only a newer version knows. */
  unknown: string[]
  /** The processes that serve the database. */
  processes: VersionCount[]
}

/** The rows that SQLite indexes in a second, on a slow disk. */
const INDEXED_A_SECOND = 250_000

/**
 * Finds what `migrate` would do with the data that is there. Changes nothing.
 * @param isServed false if no process serves the database: one that was killed has told nobody
 */
export async function checkUpgrade(
  db: Kysely<Tables>,
  engine: Engine,
  { isServed, migrations = all }: { isServed: boolean; migrations?: readonly Migration[] },
): Promise<UpgradeCheck> {
  const schema = await db.introspection.getTables()
  const tables = new Set(schema.map(({ name }) => name))
  if (!tables.has('schema_migrations'))
    return { hasSchema: false, steps: [], background: [], unknown: [], processes: [] }
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !done.has(name))
  const steps: PendingStep[] = []
  for (const { name: migration, steps: of } of pending) {
    for (const [at, step] of of.entries()) {
      if (done.has(`${migration}#${at + 1}`)) continue
      if (typeof step === 'function') steps.push({ migration, kind: 'change', blocksSeconds: 0 })
      else if ('pieces' in step)
        steps.push({ migration, kind: 'rows', name: step.pieces.name, blocksSeconds: 0 })
      else if ((step.only ?? engine.kind) === engine.kind) {
        const rows = await countRows(db, tableOf(db, step), tables)
        const blocksSeconds = engine.locksRows ? 0 : Math.round((10 * rows) / INDEXED_A_SECOND) / 10
        steps.push({ migration, kind: 'index', name: step.index, rows, blocksSeconds })
      }
    }
  }
  const known = new Set(migrations.map(({ name }) => name))
  return {
    hasSchema: true,
    steps,
    background: [
      ...(tables.has('backfills') ? await openBackfills(db) : []),
      ...pending.flatMap(({ backfills = [] }) => backfills.map(({ name }) => name)),
    ],
    unknown: [...done].filter((name) => !known.has(name.split('#')[0] ?? '')),
    processes: isServed ? await processesOf(db, engine, schema) : [],
  }
}

function tableOf(db: Kysely<Tables>, { index, define }: IndexStep): string {
  const { query } = define(db.schema.createIndex(index)).compile()
  return query.kind === 'CreateIndexNode' ? (query.table?.table.identifier.name ?? '') : ''
}

async function processesOf(
  db: Kysely<Tables>,
  engine: Engine,
  schema: readonly TableMetadata[],
): Promise<UpgradeCheck['processes']> {
  const table = schema.find(({ name }) => name === 'processes')
  if (!table) return []
  const hasVersions = table.columns.some(({ name }) => name === 'version')
  return engine.isSingleProcess ? livingVersions(db, hasVersions) : beatingVersions(db, hasVersions)
}

/** Counts the rows of a table; 0 when a pending migration creates it. */
async function countRows(db: Kysely<Tables>, table: string, tables: ReadonlySet<string>): Promise<number> {
  if (!tables.has(table)) return 0
  const { rows } = await sql<{
    count: number | string
  }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
