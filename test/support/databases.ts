import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../src/storage/database.ts'
import type { Database } from '../../src/storage/opened-database.ts'
import { triggers } from '../../src/triggers.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import './across-agents.ts'
import './lock-order.ts'
import { borrow } from './lend.ts'
import type { LentPostgres } from './postgres-of-run.ts'
import { makeTemplate, withDatabase } from './postgres-template.ts'

const ENGINES = ['sqlite', 'postgres'] as const

export type EngineKind = (typeof ENGINES)[number]

/** The storage engines that every test of stored data loops over: both, or only PARLEY_TEST_ENGINE. */
export const engines: readonly EngineKind[] = ENGINES.filter(
  (engine) => engine === (process.env.PARLEY_TEST_ENGINE ?? engine),
)

/** The place of a test's own empty database. */
export interface FreshDatabase {
  databaseUrl: string | null
  dataDir: string
  remove(): Promise<void>
}

/** Creates a data directory; for PostgreSQL also a database that already has the schema. */
export async function freshDatabase(kind: EngineKind): Promise<FreshDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const removeDirectory = () => rm(dataDir, { recursive: true, force: true })
  if (kind === 'sqlite') return { databaseUrl: null, dataDir, remove: removeDirectory }
  const { create, drop } = await postgresDatabases()
  const { url, name } = await create()
  const remove = async () => {
    await drop(name)
    await removeDirectory()
  }
  return { databaseUrl: url, dataDir, remove }
}

/** Creates a data directory, and on both engines a database that already has the schema. */
export async function readyDatabase(kind: EngineKind): Promise<FreshDatabase> {
  const fresh = await freshDatabase(kind)
  if (kind === 'sqlite') {
    sqliteTemplate ??= readSqliteTemplate()
    await writeFile(join(fresh.dataDir, SQLITE_FILE), await sqliteTemplate, { mode: 0o600 })
  }
  return fresh
}

/** Opens a fresh database with its schema. Close it, then remove it. */
export async function openFreshDatabase(kind: EngineKind): Promise<Database & { fresh: FreshDatabase }> {
  const fresh = await readyDatabase(kind)
  const database = await openDatabase(fresh)
  await database.migrate({ triggers })
  return { ...database, fresh }
}

/** Copying the files takes a quarter of the processor time of writing them into the log. PostgreSQL 15 is the oldest. */
const COPIED = 'strategy file_copy'
const SQLITE_FILE = 'parley.db'

let sqliteTemplate: Promise<Buffer> | undefined

/** Returns SQLite's empty database with the schema, which is made once for a run of the tests. */
async function readSqliteTemplate(): Promise<Buffer> {
  const kept = process.env.PARLEY_TEST_SQLITE_TEMPLATE
  if (kept && existsSync(kept)) return readFile(kept)
  const { dataDir, remove } = await freshDatabase('sqlite')
  const database = await openDatabase({ databaseUrl: null, dataDir })
  await database.migrate()
  await database.close()
  const template = await readFile(join(dataDir, SQLITE_FILE))
  await remove()
  if (kept) {
    await writeFile(`${kept}.${process.pid}`, template)
    await rename(`${kept}.${process.pid}`, kept)
  }
  return template
}

let opened: Promise<Awaited<ReturnType<typeof openServer>>> | undefined

// The hook is registered here so that it belongs to the whole file; in a test or hook it would run at the end of that.
after(async () => (await opened)?.close())

/** Returns the server and template of a test process: the run's, or its own where a file runs by itself. */
function postgresDatabases() {
  opened ??= openServer()
  return opened
}

async function openServer() {
  const lent = await borrow<LentPostgres>('postgres')
  const server: TestPostgres = lent ? { ...lent, async stop() {} } : await startPostgres()
  const admin = new pg.Pool({ connectionString: server.url, max: 1 })
  // `end` does not wait for the connection: the server may stop before it is closed, and end it with an error.
  admin.on('error', () => {})
  const own = `parley_${process.pid}_${Date.now().toString(36)}`
  const made = new Set<string>()
  const template = lent?.template ?? `${own}_template`
  if (!lent) {
    made.add(template)
    await makeTemplate(admin, server.url, template)
  }
  const drop = async (name: string) => {
    made.delete(name)
    await admin.query(`drop database if exists ${name} with (force)`)
  }
  const close = async () => {
    for (const name of [...made]) await drop(name)
    await admin.end()
    await server.stop()
  }
  let count = 0
  return {
    drop,
    close,
    async create() {
      const name = `${own}_${++count}`
      made.add(name)
      await admin.query(`create database ${name} template ${template} ${COPIED}`)
      return { name, url: withDatabase(server.url, name) }
    },
  }
}
