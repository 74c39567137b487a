// What does a page of GET /chat/completions cost at three million completions, beside ten thousand, with each filter and
// with several, first page, last page by number and far down by cursor? With PARLEY_TEST_DATABASE_URL on PostgreSQL, in
// a database of each size, else on SQLite. SIZES sets others.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, startParley } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SIZES = (process.env.SIZES ?? '10000,3000000').split(',').map(Number)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL

/** Names of queries and the queries themselves; `rare` matches 10 of the oldest completions. */
const QUERIES: [name: string, query: string][] = [
  ['all', ''],
  ['all, page 100 of 100', 'page=100&per_page=100'],
  ['conversation_id', 'conversation_id=ticket-1'],
  ['session_id', 'session_id=session-1'],
  ['device_id', 'device_id=device-1'],
  ['user_id', 'user_id=user-1'],
  ['channel_id, half of all', 'channel_id=7'],
  ['language, nearly all', 'language=en'],
  ['language, rare', 'language=de'],
  ['liked, rare', 'liked=true'],
  ['flagged=true, rare', 'flagged=true'],
  ['flagged=false', 'flagged=false'],
  ['an old hour', 'max_timestamp=2020-01-01T01:00:00.000Z'],
  ['two broad filters', 'language=en&channel_id=7'],
  ['two broad filters that never meet', 'language=en&channel_id=8'],
  ['broad and rare', 'language=en&flagged=true'],
]

const results = new Map<string, number[]>()
for (const size of SIZES) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-lists-'))
  const databaseUrl = SERVER ? await createDatabase(SERVER, `parley_bench_lists_${size}`) : null
  const env = databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}
  const first = await startParley(env, folder)
  await first.stop()
  await fill({ databaseUrl, dataDir: folder }, size)
  const parley = { ...(await startParley(env, folder)), headers: first.headers }
  for (const [name, query] of QUERIES) await measure(name, parley, query)
  await measure(
    'all, by cursor from the middle of it',
    parley,
    `max_timestamp=${timeOf(size / 2)}&per_page=50`,
    true,
  )
  await parley.stop()
  await rm(folder, { recursive: true, force: true })
  if (SERVER && databaseUrl) await dropDatabase(SERVER, `parley_bench_lists_${size}`)
}
printTable([
  ['p50 and slowest in ms', ...SIZES.flatMap((size) => [`${size}`, 'slowest'])],
  ...[...results].map(([name, times]) => [name, ...times]),
])

async function measure(name: string, parley: BenchServer, query: string, byCursor = false): Promise<void> {
  const times: number[] = []
  let cursor = ''
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now()
    const answer = await fetch(`${parley.url}/api/v1/chat/completions?${query}${cursor}`, {
      headers: parley.headers,
    })
    const body = (await answer.json()) as { next_cursor: string | null }
    if (answer.status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`)
    if (round > 0) times.push(performance.now() - begin)
    if (byCursor && body.next_cursor) cursor = `&cursor=${body.next_cursor}`
  }
  results.set(name, [...(results.get(name) ?? []), median(times), Math.max(...times)])
}

/** Fills agent 1 with a completion a second since 2020, ten to a conversation. */
async function fill(where: { databaseUrl: string | null; dataDir: string }, size: number): Promise<void> {
  const { db, engine, close } = await openDatabase(where)
  const isSqlite = engine.kind === 'sqlite'
  const numbers = (until: number) =>
    isSqlite
      ? sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${until - 1})`
      : sql`with numbers as (select n::int from generate_series(0, ${until - 1}::int) as n)`
  const time = isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', 1577836800 + n, 'unixepoch')`
    : sql`to_char(timestamp '2020-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
  const text = isSqlite ? sql`n` : sql`n::text`
  const uuid = (prefix: string) =>
    isSqlite
      ? sql`printf(${`${prefix}-0000-7000-8000-%012d`}, n)`
      : sql`${`${prefix}-0000-7000-8000-`}::text || lpad(n::text, 12, '0')`
  const conversation = isSqlite
    ? sql`printf('00000000-0000-7000-8000-%012d', n / 10)`
    : sql`'00000000-0000-7000-8000-' || lpad((n / 10)::text, 12, '0')`
  await sql`insert into conversations (id, agent_id, team_id, sequence, external_id, started_at)
    ${numbers(size / 10)} select ${uuid('00000000')}, 1, 1, n + 1, 'ticket-' || ${text}, ${time} from numbers`.execute(
    db,
  )
  await sql`insert into completions (id, agent_id, conversation_id, user_id, device_id, session_id, channel_id, language,
      liked, flagged, created_at, answered_at, finish_reason, model, tags)
    ${numbers(size)} select ${uuid('00000001')}, 1, ${conversation},
      'user-' || (n % 1000), 'device-' || (n % 5000), 'session-' || (n / 100),
      case when n % 2 = 0 then 7 when n < 10 then 8 end, case when n < 10 then 'de' else 'en' end,
      case when n < 10 then 1 end, case when n < 10 then 1 else 0 end,
      ${time}, ${time}, 'stop', 'm', '[]' from numbers`.execute(db)
  await sql`insert into messages (agent_id, conversation_id, completion_id, role, content, created_at)
    ${numbers(size)} select 1, ${conversation}, ${uuid('00000001')}, 'user', '"Where is my parcel?"', ${time}
    from numbers`.execute(db)
  await db
    .updateTable('agent_counters')
    .set({ conversations: size / 10 })
    .where('agent_id', '=', 1)
    .execute()
  if (!isSqlite) await sql`vacuum analyze`.execute(db)
  await close()
}

function timeOf(second: number): string {
  return new Date(Date.UTC(2020, 0, 1) + second * 1000).toISOString()
}
