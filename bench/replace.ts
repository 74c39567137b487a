// Does a client notice that a process of an earlier version is replaced by one of this version, over a filled PostgreSQL
// database (PARLEY_TEST_DATABASE_URL)? OTHER names a checkout of the earlier version, with its packages installed. It
// answers one client while `parley migrate` runs; then a process of this version answers beside it, and stays. SIZE sets
// the number of conversations; each round begins with a copy of the filled database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openBackfills } from '../src/storage/backfills.ts'
import { openDatabase } from '../src/storage/database.ts'
import { fillConversations } from '../test/support/old-schema.ts'
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, freePort, MASTER_KEY, ROOT, startParley, startServer } from './support/servers.ts'

reachAllAgents()

const SIZE = Number(process.env.SIZE ?? 20_000)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const OTHER = process.env.OTHER
const [TEMPLATE, NAME] = ['parley_bench_filled', 'parley_bench_replaced']
/** The pause between two prompts of the client. */
const REST_MS = 20
if (!OTHER || !SERVER) throw new Error('OTHER and PARLEY_TEST_DATABASE_URL must be set')

const other: typeof import('./support/servers.ts') = await import(
  pathToFileURL(resolve(OTHER, 'bench/support/servers.ts')).href
)
const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-replace-'))
const modelPort = await freePort()
const model = await startServer(
  'model',
  ['bench/support/model-server.ts', `${modelPort}`, 'packet'],
  modelPort,
)
const headers = await fill(await createDatabase(SERVER, TEMPLATE))
for (let round = 0; round < ROUNDS; round++) await replace()
await dropDatabase(SERVER, TEMPLATE)
await model.stop()
await rm(dataDir, { recursive: true, force: true })

/** Makes the schema of the earlier version and fills it; returns the credentials of agent 1. */
async function fill(databaseUrl: string): Promise<Record<string, string>> {
  const first = await other.startParley({ PARLEY_DATABASE_URL: databaseUrl }, dataDir)
  await first.stop()
  const { db, close } = await openDatabase({ databaseUrl, dataDir })
  await fillConversations(db, SIZE)
  await sql`insert into agent_counters (agent_id, conversations, last_conversation_id) values (1, ${SIZE}, '')
    on conflict (agent_id) do update set conversations = excluded.conversations`.execute(db)
  await sql`vacuum analyze`.execute(db)
  await close()
  return first.headers
}

async function replace(): Promise<void> {
  const databaseUrl = await createDatabase(SERVER ?? '', NAME, TEMPLATE)
  const env = { PARLEY_DATABASE_URL: databaseUrl, PARLEY_MODEL_URL: `${model.url}/v1` }
  const before = await other.startParley(env, dataDir)
  const serving = [before]
  let prompts: { ms: number; failure: string | null }[] = []
  let isOver = false
  const client = async () => {
    for (let n = 0; !isOver; n++) {
      const began = performance.now()
      const failure = await prompt(serving[n % serving.length] ?? before, n)
      prompts.push({ ms: performance.now() - began, failure })
      await wait(REST_MS)
    }
  }
  const asking = client()
  const rows: (string | number)[][] = []
  const failures = new Set<string>()
  const phase = async (name: string, work: () => Promise<unknown>) => {
    prompts = []
    const began = performance.now()
    await work()
    const times = prompts.map(({ ms }) => ms).sort((a, b) => a - b)
    const failed = prompts.flatMap(({ failure }) => failure ?? [])
    for (const failure of failed) failures.add(failure)
    const seconds = (performance.now() - began) / 1000
    rows.push([name, seconds, times.length, median(times), times.at(-1) ?? 0, failed.length])
  }
  await phase('before', () => wait(5000))
  await phase('migrate', () => migrate(databaseUrl))
  await phase('the earlier version goes on', () => wait(5000))
  await phase('the next one starts', async () => {
    serving.push(await startParley(env, dataDir))
  })
  await phase('both answer', () => wait(5000))
  await phase('the earlier one ends', async () => {
    serving.shift()
    await wait(REST_MS)
    await before.stop()
  })
  const { db, close } = await openDatabase({ databaseUrl, dataDir })
  await phase('background work, a minute of it', async () => {
    const until = performance.now() + 60_000
    while (performance.now() < until && (await openBackfills(db)).length > 0) await wait(250)
  })
  await close()
  isOver = true
  await asking
  await serving[0]?.stop()
  await dropDatabase(SERVER ?? '', NAME)
  printTable([['phase', 'seconds', 'prompts', 'p50 in ms', 'longest in ms', 'failed'], ...rows])
  for (const failure of failures) process.stdout.write(`${failure}\n`)
}

/** Continues a conversation, or opens one. Returns the failure; null if the prompt was answered. */
async function prompt({ url }: BenchServer, n: number): Promise<string | null> {
  const conversation = `00000000-0000-7000-8000-${100_000_000_000 + ((n * 7919) % SIZE)}`
  const body = {
    model: 'any',
    user: `user-${n % 50}`,
    messages: [{ role: 'user', content: `What are your opening hours on Saturday? ${n}` }],
    ...(n % 2 === 0 ? {} : { conversation_id: conversation }),
  }
  try {
    const answer = await fetch(`${url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { error } = (await answer.json()) as { error?: { code: string } }
    return error ? `${answer.status} ${error.code}` : null
  } catch (error) {
    return String(error)
  }
}

async function migrate(databaseUrl: string): Promise<void> {
  const child = spawn(process.execPath, ['src/main.js', 'migrate'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PARLEY_DATABASE_URL: databaseUrl,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_MASTER_KEY: MASTER_KEY,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`migrate ended with ${code}`)
}
