// What do the support figures of a year cost at a million conversations, by each way of grouping them, and what does
// the page of the inbox with the conversations behind one figure cost? With PARLEY_TEST_DATABASE_URL on PostgreSQL, in
// that database, which must be empty; else on SQLite. FOLDER keeps the data on SQLite, and a second run measures it
// again.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { Changes } from '../src/analytics/support/counts.ts'
import { breakdowns, readSupport } from '../src/analytics/support/read-support.ts'
import type { Caller } from '../src/http/member.ts'
import { readInbox } from '../src/inbox/read-inbox.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { numberedRows } from './support/numbered-rows.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? 1_000_000)
const AT_ONCE = 10_000
const YEAR_S = 365 * 86_400
const [FROM, TO] = ['2025-01-01', '2025-12-31']

const { FOLDER } = process.env
const databaseUrl = process.env.PARLEY_TEST_DATABASE_URL ?? null
const isFilled = FOLDER !== undefined && existsSync(FOLDER)
const dataDir = FOLDER ?? (await mkdtemp(join(tmpdir(), 'parley-bench-support-')))
await mkdir(dataDir, { recursive: true })
const { db, engine, migrate, close } = await openDatabase({ databaseUrl, dataDir })
await migrate()
const agentId = 1
if (!isFilled) await fill()
await measure()
await close()
if (FOLDER === undefined) await rm(dataDir, { recursive: true, force: true })

async function measure(): Promise<void> {
  const rows: (string | number)[][] = []
  for (const by of breakdowns)
    rows.push([
      `figures by ${by}`,
      await timed(() => readSupport(db, agentId, { from: FROM, to: TO, timeZone: 'UTC', by })),
      await timed(() => readSupport(db, agentId, { from: FROM, to: TO, timeZone: 'Europe/Berlin', by })),
    ])
  const year = `${FROM}:${TO}`
  for (const figure of [
    `solved_by_person:${year}`,
    'solved_by_person:2025-06-01:2025-06-01',
    `rated_1:${year}`,
    `waited:${year}::operator:3`,
    'waited:2025-06-01:2025-06-30::tag:plan:pro',
  ])
    rows.push([
      `inbox, ${figure.replace('::', ', ')}`,
      await timed(() => page(withZone(figure, 'UTC'))),
      await timed(() => page(withZone(figure, 'Europe/Berlin'))),
    ])
  printTable([
    [databaseUrl ? 'ms by the clock, p50' : 'ms of processor time, p50', 'UTC', 'Europe/Berlin'],
    ...rows,
  ])
}

/** Puts the zone behind the days. */
function withZone(figure: string, zone: string): string {
  return figure.includes('::') ? figure.replace('::', `:${zone}:`) : `${figure}:${zone}`
}

async function page(figure: string): Promise<void> {
  const caller = { agentId, scope: null } as Caller
  await readInbox(db, caller, null, { view: 'all', sort: 'latest', in: figure }, { per_page: 50 })
}

/** Returns the milliseconds of a call: by the clock on PostgreSQL, which works in processes of its own. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = -2; round < ROUNDS; round++) {
    const [begun, cpu] = [performance.now(), process.cpuUsage()]
    await act()
    const { user, system } = process.cpuUsage(cpu)
    if (round >= 0) times.push(databaseUrl ? performance.now() - begun : (user + system) / 1000)
  }
  return median(times)
}

/**
 * Fills an agent with conversations of a year: a third needs one of twenty people, of five groups; one of ten is rated;
 * each has one of thirty tags.
 */
async function fill(): Promise<void> {
  await db.transaction().execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: Date.now() }))
  const isSqlite = engine.kind === 'sqlite'
  const seconds = (after: number) =>
    sql`n * ${sql.lit(YEAR_S)} / ${sql.lit(CONVERSATIONS)} + ${sql.lit(after)}`
  const time = (after: number) =>
    isSqlite
      ? sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + ${seconds(after)}, 'unixepoch')`
      : sql`to_char(timestamp '2025-01-01' + (${seconds(after)}) * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
  const { id, numbers } = numberedRows(engine)
  const text = isSqlite ? sql`n % 30` : sql`(n % 30)::text`
  for (let from = 0; from < CONVERSATIONS; from += AT_ONCE) {
    const last = Math.min(from + AT_ONCE, CONVERSATIONS) - 1
    const some = numbers(from, last)
    await db.transaction().execute(async (db) => {
      await sql`insert into conversations (id, agent_id, team_id, sequence, language, started_at, ended_at)
        ${some} select ${id}, 1, 1, n + 1, case when n % 5 = 0 then 'de' else 'en' end, ${time(0)}, ${time(5400)}
        from numbers`.execute(db)
      await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
        ${some} select 1, ${id}, 'user', '"Where is my parcel?"', ${time(0)} from numbers`.execute(db)
      await sql`insert into conversation_tags (conversation_id, name, value, agent_id)
        ${some} select ${id}, 'plan', case when n % 30 = 0 then 'pro' else ${text} end, 1
        from numbers`.execute(db)
      await sql`insert into support_rows (conversation_id, agent_id, channel_id, language, group_id, operator_id, tags,
          started_at, waited_at, reason, answered_at, answer_ms, answer_open_ms, ended_at, outcome, solved_by,
          solution_ms, solution_open_ms, met_at, missed_at, asked_at, rated_at, score)
        ${some} select ${id}, 1, n % 4 + 1, case when n % 5 = 0 then 'de' else 'en' end,
          case when n % 3 = 0 then n % 5 + 1 end, case when n % 3 = 0 then n % 20 + 1 end,
          '["plan:' || case when n % 30 = 0 then 'pro' else ${text} end || '"]', ${time(0)},
          case when n % 3 = 0 then ${time(60)} end, case when n % 3 = 0 then 'asked' end,
          case when n % 3 = 0 then ${time(1200)} end, case when n % 3 = 0 then 60000 * (n % 97 + 1) end,
          case when n % 3 = 0 then 30000 * (n % 97 + 1) end, ${time(5400)},
          case when n % 3 = 0 then 'handed_off' else 'resolved' end,
          case when n % 3 = 0 then 'person' else 'agent' end, 60000 * (n % 211 + 1), 30000 * (n % 211 + 1),
          case when n % 3 = 0 and n % 7 > 0 then ${time(5400)} end,
          case when n % 3 = 0 and n % 7 = 0 then ${time(1000)} end, ${time(5400)},
          case when n % 10 = 0 then ${time(6000)} end, case when n % 10 = 0 then n / 10 % 5 + 1 end
        from numbers`.execute(db)
      await sql`delete from support_pending`.execute(db)
    })
  }
  await countRows()
  await sql.raw(isSqlite ? 'analyze' : 'vacuum analyze').execute(db)
}

/** Counts the rows as the service does, many at once. */
async function countRows(): Promise<void> {
  let after = ''
  let changes = new Changes()
  for (let number = 0; ; number++) {
    const rows = await db
      .selectFrom('support_rows')
      .selectAll()
      .where('conversation_id', '>', after)
      .orderBy('conversation_id')
      .limit(AT_ONCE)
      .execute()
    for (const row of rows) changes.add(row, 1)
    if (number % 10 === 9 || rows.length < AT_ONCE) {
      const part = changes
      await db.transaction().execute((db) => part.write(db, agentId))
      changes = new Changes()
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.conversation_id ?? ''
  }
}
