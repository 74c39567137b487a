// How long do prompts of the version before wait while `migrate` brings a filled database up to date? The prompts are
// transactions as an old replica runs them. With PARLEY_TEST_DATABASE_URL on PostgreSQL, else on SQLite, where only
// commands can run beside `migrate`. SIZE sets the number of conversations.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { finishMigrations } from '../src/app/finish-migrations.ts'
import { startRedactionWork } from '../src/redaction/redaction-work.ts'
import { openDatabase } from '../src/storage/database.ts'
import { assertUpgraded, fillOldSchema, OLD, promptAsBefore, upTo } from '../test/support/old-schema.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { median, printTable } from './support/load.ts'

const SIZE = Number(process.env.SIZE ?? 200_000)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const NAME = 'parley_bench_upgrade'
const CLIENTS = 3
/** The pause between two prompts of a client. */
const REST_MS = 20

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-upgrade-'))
const where = { databaseUrl: SERVER ? await createDatabase(SERVER, NAME) : null, dataDir }
const replica = await openDatabase(where)
const database = await openDatabase(where)
await database.migrate({ migrations: upTo(OLD) })
await fillOldSchema(database.db, SIZE)
await sql`analyze`.execute(database.db)

const redactionWork = startRedactionWork()
const log = (words: string) => process.stderr.write(`${new Date().toISOString().slice(11, 23)} ${words}\n`)
let waits: { ms: number; ended: number }[] = []
let isOver = false
const clients = Array.from({ length: CLIENTS }, async (_, client) => {
  for (let n = client; !isOver; n += CLIENTS) {
    const began = performance.now()
    await promptAsBefore(replica, n % 3 === 0 ? null : (n * 7919) % SIZE)
    const ended = performance.now()
    waits.push({ ms: ended - began, ended })
    if (ended - began > 1000) log(`a prompt took ${Math.round(ended - began)} ms`)
    await wait(REST_MS)
  }
})

const phases: [string, () => Promise<unknown>][] = [
  ['before', () => wait(5000)],
  ['migrate', () => database.migrate({ report: log })],
  ['backfills', () => finishMigrations({ ...database, redactionWork, report: log })],
]
const rows: (string | number)[][] = []
for (const [phase, work] of phases) {
  waits = []
  const began = performance.now()
  await work()
  const times = waits.map(({ ms }) => ms).sort((a, b) => a - b)
  rows.push([phase, (performance.now() - began) / 1000, times.length, median(times), times.at(-1) ?? 0])
}
isOver = true
await Promise.all(clients)
printTable([['phase', 'seconds', 'prompts', 'p50 in ms', 'longest in ms'], ...rows])
await assertUpgraded(database.db)
await redactionWork.close()
await replica.close()
await database.close()
if (SERVER) await dropDatabase(SERVER, NAME)
await rm(dataDir, { recursive: true, force: true })
