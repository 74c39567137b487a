// What does a page of the inbox cost somebody who sees only their groups, or only their own, beside somebody who sees
// all? Most conversations wait. With PARLEY_TEST_DATABASE_URL on PostgreSQL, else on SQLite. SIZE sets their number.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Scope } from '../src/http/scope.ts'
import { readInbox } from '../src/inbox/read-inbox.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { numberedRows } from './support/numbered-rows.ts'
import { startParley } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 21)
const SIZE = Number(process.env.SIZE ?? 100_000)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const NAME = 'parley_bench_scope'

/** The scopes of those who look. A hundredth of the conversations is in group 1, none in group 9, a few are somebody's. */
const SCOPES: Record<string, Scope | null> = {
  all: null,
  'a group': { operatorId: 99, groups: [1] },
  'an empty group': { operatorId: 99, groups: [9] },
  own: { operatorId: 3, groups: [] },
}
const QUERIES = [
  { view: 'open', sort: 'latest' },
  { view: 'open', sort: 'waiting' },
  { view: 'waiting', sort: 'waiting' },
  { view: 'waiting', sort: 'latest' },
] as const

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-scope-'))
const databaseUrl = SERVER ? await createDatabase(SERVER, NAME) : null
await (await startParley(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}, dataDir)).stop()
const { db, engine, close } = await openDatabase({ databaseUrl, dataDir })
await fill()
const rows: (string | number)[][] = []
for (const query of QUERIES) {
  const spent = Object.values(SCOPES).map((): number[] => [])
  for (let round = -3; round < ROUNDS; round++)
    for (const [at, scope] of Object.values(SCOPES).entries()) {
      const begin = performance.now()
      await readInbox(db, { agentId: 1, teamId: 1, scope }, null, query, { per_page: 50 })
      if (round >= 0) spent[at]?.push(performance.now() - begin)
    }
  const medians = spent.map(median)
  rows.push([
    `${query.view}, ${query.sort}`,
    ...medians,
    ...medians.slice(1).map((one) => one / (medians[0] ?? 1)),
  ])
}
const names = Object.keys(SCOPES)
printTable([['p50 in ms', ...names, ...names.slice(1).map((name) => `${name} / all`)], ...rows])
await close()
await rm(dataDir, { recursive: true, force: true })
if (SERVER) await dropDatabase(SERVER, NAME)

/** Fills agent 1: nine of ten conversations wait. */
async function fill(): Promise<void> {
  const isSqlite = engine.kind === 'sqlite'
  const { time, id, numbers } = numberedRows(engine)
  for (let from = 0; from < SIZE; from += 10_000) {
    const last = Math.min(from + 10_000, SIZE) - 1
    const some = numbers(from, last)
    await db.transaction().execute(async (db) => {
      await sql`insert into conversations (id, agent_id, team_id, sequence, started_at, agent_paused, waiting_since,
          waiting_reason, group_id, assignee_id)
        ${some} select ${id}, 1, 1, n + 1, ${time}, 0, case when n % 10 > 0 then ${time} end,
          case when n % 10 > 0 then 'asked' end, case when n % 100 = 7 then 1 when n % 3 > 0 then 2 end,
          case when n % 1000 = 15 then 3 end
        from numbers`.execute(db)
      await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
        ${some} select 1, ${id}, 'user', '"Where is my parcel?"', ${time} from numbers`.execute(db)
    })
  }
  await (isSqlite ? sql`analyze` : sql`vacuum analyze`).execute(db)
}
