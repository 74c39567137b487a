// What would the engine's own full-text search, SQLite's FTS5 or PostgreSQL's tsvector with GIN, cost in place of the
// index of src/search? It is given the same words, with a word for the agent, and asked for the same: each word as a
// beginning, the best twenty. Half of the messages are those of one agent, the others of nine more. With
// PARLEY_TEST_DATABASE_URL on PostgreSQL, in that database, which must be empty; else on SQLite. SIZE sets the messages.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { uuidv7 } from '../src/lib/ids.ts'
import { indexPending } from '../src/search/index/index-pending.ts'
import { termsOf } from '../src/search/index/terms.ts'
import { searchTexts } from '../src/search/search-texts.ts'
import { searchedTexts } from '../src/search/searched-texts.ts'
import { openDatabase } from '../src/storage/database.ts'
import { quantile } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { drawWords, random, wordOf } from './support/made-words.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const SIZE = Number(process.env.SIZE ?? 100_000)
const AGENTS = 10
const WORDS = 15
const A_TRANSACTION = 500
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z')

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-search-'))
const databaseUrl = process.env.PARLEY_TEST_DATABASE_URL ?? null
const { db, engine, migrate, close } = await openDatabase({ databaseUrl, dataDir: folder })
await migrate()
const agents: number[] = []
for (let n = 0; n < AGENTS; n++) {
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: `${n}`, teamId: null, nowMs: BEGIN }))
  agents.push(agentId)
}
const [large = 0, small = 0] = agents

const filled = await timed(fill)
const ours = await timed(async () => {
  for (const agentId of agents)
    await indexPending(
      { db, engine, logger: console, texts: searchedTexts },
      agentId,
      new AbortController().signal,
      1,
    )
})
const theirs = await timed(fillPeer)
const name = engine.isSingleProcess ? 'FTS5' : 'tsvector'
printTable([
  ['', 'µs a message', 'processor µs of Parley', 'bytes a message'],
  ['messages and their queue', ...costOf(filled)],
  ["Parley's index", ...costOf(ours)],
  [name, ...costOf(theirs)],
])

const near = (rank: number) => wordOf(rank + Math.floor(random() * Math.max(1, rank / 10)))
const recent = new Date(BEGIN + SIZE * 0.9).toISOString()
const queries: [string, () => string, number, string | null][] = [
  ['a rare word', () => near(40_000), large, null],
  ['a word in every fifth message', () => near(12), large, null],
  ['a common word and a rare one', () => `${near(12)} ${near(20_000)}`, large, null],
  ['two common words', () => `${near(12)} ${near(30)}`, large, null],
  ['a beginning of three letters', () => near(100).slice(0, 3), large, null],
  ['a common word, the last tenth of the time', () => near(12), large, recent],
  ['a rare word of a small agent', () => near(20_000), small, null],
  ['a common word of a small agent', () => near(12), small, null],
]
const rows: string[][] = []
for (const [title, make, agentId, from] of queries) {
  const asked = Array.from({ length: ROUNDS + 2 }, make)
  const row = [title]
  for (const ask of [askOurs, askBest, askNewest]) {
    const times: number[] = []
    for (const q of asked) {
      const begun = performance.now()
      await ask(q, agentId, from)
      times.push(performance.now() - begun)
    }
    const sorted = times.slice(2).sort((a, b) => a - b)
    row.push([0.5, 0.95].map((share) => quantile(sorted, share).toFixed(1)).join(' / '))
  }
  rows.push(row)
}
printTable([['ms, p50 / p95', 'Parley', `${name}, the best`, `${name}, the newest`], ...rows])
await close()
await rm(folder, { recursive: true, force: true })

interface Cost {
  ms: number
  cpuMs: number
  bytes: number
}

async function timed(work: () => Promise<void>): Promise<Cost> {
  const [before, cpu, begun] = [await size(), process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    ms: performance.now() - begun,
    cpuMs: (user + system) / 1000,
    bytes: (await size()) - before,
  }
}

function costOf({ ms, cpuMs, bytes }: Cost): string[] {
  return [(1000 * ms) / SIZE, (1000 * cpuMs) / SIZE, bytes / SIZE].map((value) => value.toFixed(0))
}

async function size(): Promise<number> {
  const asked = engine.isSingleProcess
    ? sql<{ size: number }>`select (page_count - freelist_count) * page_size as size
        from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
    : sql<{ size: number }>`select pg_database_size(current_database())::float8 as size`
  return (await asked.execute(db)).rows[0]?.size ?? 0
}

/** Writes messages in the order of their times, each second one of the large agent. */
async function fill(): Promise<void> {
  for (const [n, agentId] of agents.entries()) {
    await db
      .insertInto('conversations')
      .values({ id: uuidv7(BEGIN + n), agent_id: agentId, team_id: 1, sequence: 1, started_at: stamp(0) })
      .execute()
  }
  const conversations = new Map(
    (await db.selectFrom('conversations').select(['id', 'agent_id']).execute()).map((row) => [
      row.agent_id,
      row.id,
    ]),
  )
  for (let from = 0; from < SIZE; from += A_TRANSACTION) {
    const rows = Array.from({ length: A_TRANSACTION }, (_, n) => {
      const agent_id = agents[n % 2 === 0 ? 0 : 1 + (Math.floor(n / 2) % (AGENTS - 1))] ?? 0
      return {
        agent_id,
        conversation_id: conversations.get(agent_id) ?? '',
        role: 'user' as const,
        content: JSON.stringify(drawWords(WORDS)),
        created_at: stamp(from + n),
      }
    })
    await db.transaction().execute((db) => db.insertInto('messages').values(rows).execute())
  }
}

function stamp(at: number): string {
  return new Date(BEGIN + at).toISOString()
}

/** Gives the engine's search the words of all messages, as many a transaction as a busy service stores together. */
async function fillPeer(): Promise<void> {
  await (engine.isSingleProcess
    ? sql`create virtual table peer using fts5(words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')`
    : sql`create table peer (id bigint primary key, words tsvector not null)`
  ).execute(db)
  if (engine.isSingleProcess) await sql`insert into peer (peer, rank) values ('secure-delete', 1)`.execute(db)
  else await sql`create index peer_words on peer using gin (words)`.execute(db)
  for (let last = 0; ; ) {
    const messages = await db
      .selectFrom('messages')
      .select(['id', 'agent_id', 'content'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(A_TRANSACTION)
      .execute()
    if (messages.length === 0) break
    last = messages.at(-1)?.id ?? 0
    const rows = messages.map(({ id, agent_id, content }) => {
      const words = [`agent${agent_id}x`, ...termsOf(JSON.parse(content ?? '""') as string).keys()]
      return engine.isSingleProcess
        ? sql`(${id}, ${words.join(' ')})`
        : sql`(${id}::bigint, array_to_tsvector(${words}::text[]))`
    })
    const into = engine.isSingleProcess ? sql`peer (rowid, words)` : sql`peer (id, words)`
    await db.transaction().execute((db) => sql`insert into ${into} values ${sql.join(rows)}`.execute(db))
  }
  if (!engine.isSingleProcess) await sql`analyze`.execute(db)
}

async function askOurs(q: string, agentId: number, from: string | null): Promise<void> {
  const bounds = { conversationId: null, person: null, channelId: null, from, to: null }
  await searchTexts(db, { agentId, q, kind: 1, ...bounds }, { per_page: 20 })
}

function askBest(q: string, agentId: number, from: string | null): Promise<unknown> {
  return askPeer(q, agentId, from, true)
}

function askNewest(q: string, agentId: number, from: string | null): Promise<unknown> {
  return askPeer(q, agentId, from, false)
}

/** Asks the engine for the ids of the twenty best or newest, without their texts. Ids rise with the time. */
async function askPeer(q: string, agentId: number, from: string | null, isBest: boolean): Promise<unknown> {
  const least = from === null ? 0 : Math.round(SIZE * 0.9)
  if (engine.isSingleProcess) {
    const match = [`agent${agentId}x`, ...q.split(' ').map((word) => `"${word}"*`)].join(' AND ')
    const order = isBest ? sql`rank` : sql`rowid desc`
    return sql`select rowid from peer where peer match ${match} and rowid > ${least} order by ${order} limit 20`.execute(
      db,
    )
  }
  const match = [`agent${agentId}x`, ...q.split(' ').map((word) => `${word}:*`)].join(' & ')
  const order = isBest ? sql`ts_rank(words, to_tsquery('simple', ${match})) desc, id desc` : sql`id desc`
  return sql`select id from peer where words @@ to_tsquery('simple', ${match}) and id > ${least} order by ${order} limit 20`.execute(
    db,
  )
}
