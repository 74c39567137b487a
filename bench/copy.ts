// How long does `parley copy` take, from SQLite to PostgreSQL and back? SIZE sets the number of conversations, each with
// a message. PARLEY_TEST_DATABASE_URL names the server; without it one is started.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { copyDatabase } from '../src/storage/copy/copy-database.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Tables } from '../src/storage/tables.ts'
import { columns } from '../src/texts/text-columns.ts'
import { triggers } from '../src/triggers.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { fillConversations } from './support/fill-conversations.ts'
import { printTable } from './support/load.ts'

reachAllAgents()

const SIZE = Number(process.env.SIZE ?? 100_000)
const NAME = 'parley_bench_copy'

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-copy-'))
const server = await startPostgres({ isDurable: true })
const places = [
  { databaseUrl: null, dataDir: join(folder, 'first') },
  { databaseUrl: await createDatabase(server.url, NAME), dataDir: folder },
  { databaseUrl: null, dataDir: join(folder, 'second') },
] as const
const source = await openDatabase(places[0])
await source.migrate({ triggers })
await source.db.insertInto('teams').values({ id: 1, name: 'T', created_at: '' }).execute()
await source.db
  .insertInto('agents')
  .values({ id: 1, team_id: 1, name: 'A', settings: '{}', created_at: '' })
  .execute()
await fillConversations(source.db, SIZE)
await source.close()

const rows: (string | number)[][] = []
for (const [at, direction] of ['SQLite to PostgreSQL', 'PostgreSQL to SQLite'].entries()) {
  const [from, to] = [places[at], places[at + 1]]
  if (!from || !to) throw new Error('there is no such database')
  const began = performance.now()
  let verifying = 0
  const copied = await copyDatabase({
    from,
    to,
    tables: Object.keys(columns) as (keyof Tables)[],
    triggers,
    check: async () => 'bench',
    begin: async () => {},
    report: (what) => {
      if (what === 'verified') verifying ||= performance.now()
    },
  })
  const ended = performance.now()
  const memory = process.memoryUsage().rss / 2 ** 20
  rows.push([
    direction,
    copied.rows,
    (verifying - began) / 1000,
    (ended - verifying) / 1000,
    Math.round(memory),
  ])
}
printTable([['', 'rows', 'seconds to copy', 'seconds to compare', 'MiB of memory'], ...rows])
await dropDatabase(server.url, NAME)
await server.stop()
await rm(folder, { recursive: true, force: true })
