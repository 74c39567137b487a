// Does GET /conversations cost the same at a million conversations as at ten thousand, and on page 10,000 as on page 1?
// How does it compare with a bare route that answers the same bytes, and with one that only reads and writes the rows?
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { uuidv7 } from '../src/lib/ids.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { UserKey } from '../src/users/user-key.ts'
import { median, quantile } from '../test/support/quantile.ts'
import { load, printTable } from './support/load.ts'
import { freePort, startParley, startServer } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const CONNECTIONS = 10
const SIZES = (process.env.SIZES ?? '10000,1000000').split(',').map(Number)

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-list-'))
const targets = []
for (const size of SIZES) {
  const dataDir = join(folder, String(size))
  const first = await startParley({}, dataDir)
  await first.stop()
  await fill(dataDir, size)
  const parley = await startParley({}, dataDir)
  const server = { ...parley, headers: first.headers }
  for (const page of [1, 10_000]) {
    const path = `/api/v1/conversations?page=${page}&per_page=${page === 1 ? 50 : 100}`
    // Page 10,000 of ten thousand conversations is empty, so only page 1 is measured there.
    if (page === 1 || size >= 1_000_000)
      targets.push({ name: `${size} conversations, page ${page}`, server, path })
  }
  if (size >= 1_000_000) {
    const path = '/api/v1/conversations?page=1&per_page=100'
    targets.push({ name: `${size} conversations, page 1 of 100 items`, server, path })
  }
}
const sample = await fetch(`${targets[0]?.server.url}/api/v1/conversations`, {
  headers: targets[0]?.server.headers ?? {},
})
const file = join(folder, 'answer.json')
await writeFile(file, await sample.text())
const port = await freePort()
const bare = await startServer('bare route', ['bench/support/bare-route.ts', `${port}`, file], port)
targets.push({ name: 'bare route, bytes of page 1', server: bare, path: '/api/v1/conversations' })

const floorPort = await freePort()
const floorFile = join(folder, String(SIZES[0]), 'parley.db')
const floor = await startServer(
  'floor',
  ['bench/support/floor-routes.ts', `${floorPort}`, floorFile, ''],
  floorPort,
)
const keyed = { ...floor, headers: targets[0]?.server.headers ?? {} }
targets.push({ name: 'floor, page 1', server: keyed, path: '/api/v1/conversations?page=1&per_page=50' })

const rates = new Map<string, number[]>()
const p50s = new Map<string, number[]>()
for (let round = 0; round < ROUNDS + 1; round++) {
  for (const { name, server, path } of targets) {
    const { perSecond, latencies } = await load(server, {
      method: 'GET',
      path,
      connections: CONNECTIONS,
      seconds: round === 0 ? 1 : SECONDS,
    })
    if (round === 0) continue
    rates.set(name, [...(rates.get(name) ?? []), perSecond])
    p50s.set(name, [...(p50s.get(name) ?? []), quantile(latencies, 0.5)])
  }
}
const base = median(rates.get('bare route, bytes of page 1') ?? [])
printTable([
  ['', 'per second', 'of bare', 'p50 ms'],
  ...targets.map(({ name }) => [
    name,
    median(rates.get(name) ?? []),
    median(rates.get(name) ?? []) / base,
    median(p50s.get(name) ?? []),
  ]),
])
for (const server of new Set(targets.map((target) => target.server))) await server.stop()
await rm(folder, { recursive: true, force: true })

/** Fills agent 1 with conversations, as if each had been opened by a prompt. */
async function fill(dataDir: string, size: number): Promise<void> {
  const database = await openDatabase({ databaseUrl: null, dataDir })
  const begin = Date.now() - size * 10
  for (let from = 1; from <= size; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, size - from + 1) }, (_, index) => {
      const sequence = from + index
      const time = begin + sequence * 10
      return {
        id: uuidv7(time),
        agent_id: 1,
        team_id: 1,
        sequence,
        external_id: `ticket-${sequence}`,
        user_id: `user-${sequence % 1000}` as UserKey,
        tags: '{"plan":"pro","language":"en"}',
        started_at: new Date(time).toISOString(),
      }
    })
    await database.db.insertInto('conversations').values(rows).execute()
  }
  await database.db
    .updateTable('agent_counters')
    .set({ conversations: size })
    .where('agent_id', '=', 1)
    .execute()
  await sql`analyze`.execute(database.db)
  await database.close()
}
