// What do an agent's figures of a year cost, after a million prompts, on the days of UTC and of another zone? With
// PARLEY_TEST_DATABASE_URL on PostgreSQL, in that database, which must be empty; else on SQLite. OTHER names a checkout
// of an earlier version, which is asked in turns with this one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { readAnalytics } from '../src/analytics/read-analytics.ts'
import { QUARTERS } from '../src/events/count.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { DAY_MS } from '../src/lib/clock.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { random } from './support/made-words.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const PROMPTS = Number(process.env.PROMPTS ?? 1_000_000)
const OTHER = process.env.OTHER
const DAYS = 365
/** The number of time buckets: half of the times are within a factor of two, hardly any beyond a factor of forty. */
const TIMES = 40
const [FROM, TO] = ['2025-01-01', '2025-12-31']

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-analytics-'))
const databaseUrl = process.env.PARLEY_TEST_DATABASE_URL ?? null
const { db, engine, migrate, close } = await openDatabase({ databaseUrl, dataDir })
await migrate()
const { agentId } = await db
  .transaction()
  .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: Date.now() }))
await fill()
const earlier: { readAnalytics: typeof readAnalytics } | null = OTHER
  ? await import(pathToFileURL(resolve(OTHER, 'src/analytics/read-analytics.ts')).href)
  : null
const versions = [...(earlier ? [earlier.readAnalytics] : []), readAnalytics]
const rows: (string | number)[][] = []
for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
  const times = versions.map((): number[] => [])
  for (let round = -2; round < ROUNDS; round++)
    for (const [at, read] of versions.entries()) {
      const begun = performance.now()
      await read(db, agentId, FROM, TO, zone)
      if (round >= 0) times[at]?.push(performance.now() - begun)
    }
  rows.push([zone, ...times.map(median)])
}
printTable([['p50 in ms', ...(earlier ? ['before'] : []), 'now'], ...rows])
await close()
await rm(dataDir, { recursive: true, force: true })

/** Writes the folded counts of a year, of prompts and of their times. */
async function fill(): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    const counts = new Map<string, number[]>()
    const add = (name: string) => {
      const quarters = counts.get(name) ?? Array<number>(QUARTERS).fill(0)
      counts.set(name, quarters)
      const quarter = Math.floor(random() * QUARTERS)
      quarters[quarter] = (quarters[quarter] ?? 0) + 1
    }
    for (let prompt = 0; prompt < PROMPTS / DAYS; prompt++) {
      for (const name of ['prompts', 'responses']) add(name)
      // The sum of several draws is usually near the middle of its range.
      add(`time:${60 + Math.floor(((random() + random() + random()) / 3) * TIMES)}`)
      if (prompt % 10 === 0) for (const name of ['likes', 'flags', 'unanswered', 'guardrail_hits']) add(name)
    }
    const date = new Date(Date.parse(FROM) + day * DAY_MS).toISOString().slice(0, 10)
    const values = [...counts].map(([name, quarters]) => ({
      agent_id: agentId,
      day: date,
      name,
      shard: -1,
      count: quarters.reduce((sum, count) => sum + count, 0),
      quarters: JSON.stringify(quarters),
    }))
    await db.insertInto('day_counters').values(values).execute()
  }
  await sql.raw(engine.kind === 'sqlite' ? 'analyze' : 'vacuum analyze').execute(db)
}
