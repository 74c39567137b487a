// Does a page of the inbox cost the same at a million conversations as at ten thousand, in each view, order and filter?
// With PARLEY_TEST_DATABASE_URL on PostgreSQL, in a database of each size, else on SQLite. SIZES sets others.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inboxSorts } from '../src/inbox/inbox-query.ts'
import { inboxViews } from '../src/inbox/inbox-views.ts'
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

const QUERIES = [
  // `mine` and `unread` need a person, and a token is not one. Both read like `assignee`.
  ...inboxViews
    .filter((view) => view !== 'mine')
    .flatMap((view) => inboxSorts.map((sort) => `view=${view}&sort=${sort}`)),
  'assignee=3',
  'view=all&language=de',
  'channel_id=8',
  'user_id=user-1',
  'tag=plan:pro',
  'tag=rare:yes',
  'tag=plan:pro&language=de',
]

const servers: { size: number; parley: BenchServer; stop(): Promise<void> }[] = []
for (const size of SIZES) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-inbox-'))
  const databaseUrl = SERVER ? await createDatabase(SERVER, `parley_bench_inbox_${size}`) : null
  const env = databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}
  const first = await startParley(env, folder)
  await first.stop()
  await fill({ databaseUrl, dataDir: folder }, size)
  const parley = { ...(await startParley(env, folder)), headers: first.headers }
  const stop = async () => {
    await parley.stop()
    await rm(folder, { recursive: true, force: true })
    if (SERVER) await dropDatabase(SERVER, `parley_bench_inbox_${size}`)
  }
  servers.push({ size, parley, stop })
}
const rows: (string | number)[][] = []
for (const query of QUERIES) {
  const times = servers.map((): number[] => [])
  let found = 0
  // The sizes take turns, so that other work on the machine affects them alike.
  for (let round = -3; round < ROUNDS; round++)
    for (const [at, { parley }] of servers.entries()) {
      const begin = performance.now()
      const answer = await fetch(`${parley.url}/api/v1/inbox?${query}`, { headers: parley.headers })
      const body = (await answer.json()) as { data: unknown[] }
      if (answer.status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`)
      if (round >= 0) times[at]?.push(performance.now() - begin)
      found = body.data.length
    }
  const medians = times.map(median)
  rows.push([query, ...medians, (medians.at(-1) ?? 0) / (medians[0] ?? 1), found])
}
printTable([['p50 in ms', ...SIZES.map(String), 'ratio', 'rows'], ...rows])
for (const { stop } of servers) await stop()

/**
 * Fills agent 1: of a hundred conversations ten have ended, five are paused, one waits, two are operator 3's. Writes
 * them in transactions of ten thousand, because a million changes of one counter in one transaction would leave
 * PostgreSQL a million versions of its row to skip.
 */
async function fill(where: { databaseUrl: string | null; dataDir: string }, size: number): Promise<void> {
  const { db, engine, close } = await openDatabase(where)
  const isSqlite = engine.kind === 'sqlite'
  const { time, id, numbers } = numberedRows(engine)
  const text = isSqlite ? sql`n` : sql`n::text`
  for (let from = 0; from < size; from += 10_000) {
    const last = Math.min(from + 10_000, size) - 1
    const some = numbers(from, last)
    await db.transaction().execute(async (db) => {
      await sql`insert into conversations (id, agent_id, team_id, sequence, external_id, user_id, channel_id, language,
          started_at, ended_at, agent_paused, waiting_since, waiting_reason, assignee_id)
        ${some} select ${id}, 1, 1, n + 1, 'ticket-' || ${text}, 'user-' || (n / 10),
          case when n % 2 = 0 then 7 when n < 10 then 8 end, case when n % 50 = 0 then 'de' else 'en' end,
          ${time}, case when n % 10 = 0 then ${time} end, case when n % 20 = 1 then 1 else 0 end,
          case when n % 100 = 3 then ${time} end, case when n % 100 = 3 then 'asked' end,
          case when n % 50 = 5 then 3 end
        from numbers`.execute(db)
      await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
        ${some} select 1, ${id}, 'user', '"Where is my parcel?"', ${time} from numbers`.execute(db)
      await sql`insert into conversation_tags (conversation_id, name, value, agent_id)
        ${some} select ${id}, 'plan', case when n % 4 = 0 then 'pro' else 'free' end, 1 from numbers`.execute(
        db,
      )
      await sql`insert into conversation_tags (conversation_id, name, value, agent_id)
        ${some} select ${id}, 'rare', 'yes', 1 from numbers where n < 20`.execute(db)
    })
  }
  if (isSqlite) await sql`analyze`.execute(db)
  else await sql`vacuum analyze`.execute(db)
  await close()
}
