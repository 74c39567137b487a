// What does a page of GET /audit cost at a million acts, beside ten thousand, by actor, by action and by time? Asks both by
// turns. With PARLEY_TEST_DATABASE_URL on PostgreSQL, in a database of each size, else on SQLite. SIZES sets others.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { numberedRows } from './support/numbered-rows.ts'
import { type BenchServer, startParley } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 21)
const SIZES = (process.env.SIZES ?? '10000,1000000').split(',').map(Number)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL

/** Names of queries and the queries themselves. */
const QUERIES: [name: string, query: string][] = [
  ['all', ''],
  ['actor, 10 of the oldest acts', 'actor=operator:999'],
  ['actor, 500 acts spread over all', 'actor=operator:998'],
  ['actor, every twentieth act', 'actor=operator:3'],
  ['actor, every twentieth act, page 5', 'actor=operator:3&page=5'],
  ['actors of a kind, half of all', 'actor=operator'],
  ['actor and action, which meet', 'actor=operator:998&action=agent.changed'],
  ['actor and action, which never meet', 'actor=operator:3&action=agent.deleted'],
  ['actor, an old hour', 'actor=operator:3&to=2020-01-01T01:00:00.000Z'],
  ['action, half of all', 'action=agent.changed'],
]

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-audit-'))
const databaseOf = (size: number) => `parley_bench_audit_${size}`
const servers: BenchServer[] = []
for (const size of SIZES) {
  const dataDir = join(folder, `${size}`)
  const databaseUrl = SERVER ? await createDatabase(SERVER, databaseOf(size)) : null
  const kept = { PARLEY_AUDIT_DAYS: '36500' }
  const env = databaseUrl ? { ...kept, PARLEY_DATABASE_URL: databaseUrl } : kept
  const first = await startParley(env, dataDir)
  await first.stop()
  await fill({ databaseUrl, dataDir }, size)
  servers.push({ ...(await startParley(env, dataDir)), headers: first.headers })
}

const rows: (string | number)[][] = []
for (const [name, query] of QUERIES) {
  const times: number[][] = servers.map(() => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const time = await ask(server, query)
      if (round > 0) times[at]?.push(time)
    }
  }
  const medians = times.map(median)
  rows.push([name, ...medians, (medians.at(-1) ?? 0) / (medians[0] ?? 1)])
}
printTable([['p50 in ms', ...SIZES.map(String), 'ratio'], ...rows])
for (const server of servers) await server.stop()
for (const size of SERVER ? SIZES : []) await dropDatabase(SERVER ?? '', databaseOf(size))
await rm(folder, { recursive: true, force: true })

async function ask(server: BenchServer, query: string): Promise<number> {
  const begin = performance.now()
  const answer = await fetch(`${server.url}/api/v1/audit?${query}`, { headers: server.headers })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${query}: ${body}`)
  return performance.now() - begin
}

/** Fills the audit of team 1 with an act a second since 2020. */
async function fill(where: { databaseUrl: string | null; dataDir: string }, size: number): Promise<void> {
  const { db, engine, close } = await openDatabase(where)
  const { time, numbers } = numberedRows(engine)
  await sql`insert into audit (team_id, agent_id, at, actor_kind, actor_id, actor_name, action, target, details, address)
    ${numbers(0, size - 1)} select 1, 1, ${time},
      case when n % 2 = 0 and n >= 10 then 'token' else 'operator' end,
      case when n < 10 then 999 when n % ${size / 500} = 1 then 998 when n % 2 = 0 then 1 else n / 2 % 10 end,
      'somebody', case when n % 4 < 2 then 'agent.changed' else 'rule.changed' end, 'agent 1',
      '{"changed":["instructions"]}', '203.0.113.7' from numbers`.execute(db)
  if (engine.kind !== 'sqlite') await sql`vacuum analyze`.execute(db)
  await close()
}
