// How long does a search take in a million messages of one agent, beside ten thousand: a rare word, a common one, several,
// a beginning, one that nobody wrote, and notes while all messages wait to be indexed? What does indexing cost a message?
// With PARLEY_TEST_DATABASE_URL on PostgreSQL, in that database, which must be empty; else on SQLite. SIZES sets others.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { forAgent, reachAllAgents } from '../src/lib/agent-scope.ts'
import { uuidv7 } from '../src/lib/ids.ts'
import { indexPending } from '../src/search/index/index-pending.ts'
import type { SearchKind } from '../src/search/index/searched-texts.ts'
import { searchTexts } from '../src/search/search-texts.ts'
import { searchedTexts } from '../src/search/searched-texts.ts'
import { openDatabase } from '../src/storage/database.ts'
import { quantile } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { drawWords, random, wordOf } from './support/made-words.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const SIZES = (process.env.SIZES ?? '10000,1000000').split(',').map(Number)
/** The words of a message that has some forty, without those that every sentence has. */
const WORDS = 15
const MESSAGES_A_CONVERSATION = 10

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-search-'))
const { db, engine, migrate, close } = await openDatabase({
  databaseUrl: process.env.PARLEY_TEST_DATABASE_URL ?? null,
  dataDir: folder,
})
await migrate()

const columns: [string, ...string[]][] = []
for (const size of SIZES) {
  const { agentId, teamId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: `${size}`, teamId: null, nowMs: Date.now() }))
  await fill(agentId, teamId, size)
  const notes = await measure(agentId, { notes: () => 'parcel' }, 2)
  process.stdout.write(
    `${size} messages wait: ${quantile(notes[0] ?? [], 0.5).toFixed(1)} ms to search notes\n`,
  )
  const started = process.cpuUsage()
  await forAgent(agentId, () =>
    indexPending(
      { db, engine, logger: console, texts: searchedTexts },
      agentId,
      new AbortController().signal,
    ),
  )
  const { user, system } = process.cpuUsage(started)
  const each = (user + system) / size
  const times = await measure(agentId)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const)
    columns.push([`${size}: ${name}`, ...times.map((sorted) => quantile(sorted, share).toFixed(1))])
  process.stdout.write(`${size} messages: ${each.toFixed(0)} µs of processor time to index one\n`)
}
const names = Object.keys(queries())
printTable([
  ['ms', ...columns.map(([name]) => name)],
  ...names.map((name, at) => [name, ...columns.map((values) => values[at + 1] ?? '')]),
])
await close()
await rm(folder, { recursive: true, force: true })

/** Makes the queries, each time with other words of the same frequency. */
function queries(): Record<string, () => string> {
  const near = (rank: number) => wordOf(rank + Math.floor(random() * Math.max(1, rank / 10)))
  return {
    'a rare word': () => near(40_000),
    'a word in one message of a hundred': () => near(300),
    'a word in every fifth message': () => near(12),
    'a common word and a rare one': () => `${near(12)} ${near(20_000)}`,
    'three words': () => `${near(30)} ${near(60)} ${near(200)}`,
    'a beginning of three letters': () => near(100).slice(0, 3),
    'a beginning of one letter': () => near(100).slice(0, 1),
    'a word that nobody wrote': () => `unwritten${Math.floor(random() * 1e6)}`,
  }
}

/** Returns the sorted times of each query. */
async function measure(agentId: number, asked = queries(), kind: SearchKind = 1): Promise<number[][]> {
  const results: number[][] = []
  const all = { conversationId: null, person: null, channelId: null, from: null, to: null, kind }
  for (const make of Object.values(asked)) {
    const times: number[] = []
    for (let round = -2; round < ROUNDS; round++) {
      const q = make()
      const begun = performance.now()
      await forAgent(agentId, () => searchTexts(db, { agentId, q, ...all }, { per_page: 20 }))
      if (round >= 0) times.push(performance.now() - begun)
    }
    results.push(times.sort((a, b) => a - b))
  }
  return results
}

/** Writes conversations of ten messages each, as fast as the database takes them. */
async function fill(agentId: number, teamId: number, size: number): Promise<void> {
  const begin = Date.parse('2026-01-01T00:00:00.000Z')
  for (let from = 0; from < size; from += 2000) {
    const conversations = Array.from(
      { length: Math.min(2000, size - from) / MESSAGES_A_CONVERSATION },
      (_, n) => ({
        id: uuidv7(begin + from + n),
        agent_id: agentId,
        team_id: teamId,
        sequence: from / MESSAGES_A_CONVERSATION + n + 1,
        started_at: new Date(begin + from + n).toISOString(),
      }),
    )
    await db.transaction().execute(async (db) => {
      await db.insertInto('conversations').values(conversations).execute()
      const rows = conversations.flatMap(({ id, started_at }) =>
        Array.from({ length: MESSAGES_A_CONVERSATION }, () => ({
          agent_id: agentId,
          conversation_id: id,
          role: 'user' as const,
          content: JSON.stringify(drawWords(WORDS)),
          created_at: started_at,
        })),
      )
      for (let at = 0; at < rows.length; at += 500)
        await db
          .insertInto('messages')
          .values(rows.slice(at, at + 500))
          .execute()
    })
  }
  if (!engine.isSingleProcess) await sql`analyze`.execute(db)
}
