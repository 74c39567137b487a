// How do the service's figures grow with the number of conversations of an agent? Fills a database for each of SIZES
// (10000,1000000) and asks them by turns. With PARLEY_TEST_DATABASE_URL on PostgreSQL, whose user must be a superuser,
// else on SQLite.
// KEPT names a folder in which the filled databases stay; then MINUTES bounds a fill, which goes on where it stood, and
// exits with 75 until it is complete. INDEXED bounds the number of messages that are indexed for the search, from the
// newest. With ONLY=prompts, REPLICAS=1,3 has one process beside three on each database, whose connections they share.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { openFoundation } from '../src/foundation.ts'
import { DAY_MS } from '../src/lib/clock.ts'
import { openDatabase } from '../src/storage/database.ts'
import { median, quantile } from '../test/support/quantile.ts'
import { applyRetentionAt } from '../test/support/retention.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { DAYS, fillHistory, indexHistory } from './support/fill-history.ts'
import { type Load, load, printTable } from './support/load.ts'
import { random, wordOf } from './support/made-words.ts'
import { type BenchServer, freePort, MASTER_KEY, startParley, startServer } from './support/servers.ts'

const SIZES = (process.env.SIZES ?? '10000,1000000').split(',').map(Number)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 2)
const REPLICAS = (process.env.REPLICAS ?? '1').split(',').map(Number)
const TIMES = Number(process.env.TIMES ?? 20)
const { KEPT, INDEXED, MINUTES } = process.env
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const ENGINE = SERVER ? 'postgres' : 'sqlite'
/** Exit code: a fill goes on with the next run. */
const UNFINISHED = 75
const CONNECTIONS = (process.env.CONNECTIONS ?? '1,12').split(',').map(Number)
/** The conversations that a step of retention of each size redacts, and the rows of such a step. */
const [DUE, BATCH] = [500, 500]

/** A filled database. */
interface Filled {
  size: number
  dataDir: string
  databaseUrl: string | null
  env: Record<string, string>
  headers: Record<string, string>
}

interface Served extends Filled {
  servers: BenchServer[]
  startedMs: number
}

const folder = KEPT ?? (await mkdtemp(join(tmpdir(), 'parley-bench-scaling-')))
const until = MINUTES ? performance.now() + Number(MINUTES) * 60_000 : Number.POSITIVE_INFINITY
const filled: Filled[] = []
for (const size of SIZES) {
  const one = await fill(size)
  if (one) filled.push(one)
}
if (filled.length === SIZES.length && process.env.ONLY !== 'fill') await measure(filled)
if (filled.length < SIZES.length) process.exitCode = UNFINISHED
if (!KEPT) {
  for (const { size, databaseUrl } of filled) if (databaseUrl) await dropDatabase(SERVER ?? '', nameOf(size))
  await rm(folder, { recursive: true, force: true })
}

/** Fills a database unless it is filled; null when the time is over. */
async function fill(size: number): Promise<Filled | null> {
  const dataDir = join(folder, `${ENGINE}-${size}`)
  const headersFile = join(dataDir, 'headers.json')
  const url = SERVER ? new URL(SERVER) : null
  if (url) url.pathname = `/${nameOf(size)}`
  const databaseUrl = url?.href ?? null
  const env: Record<string, string> = databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}
  if (!existsSync(headersFile)) {
    await mkdir(dataDir, { recursive: true })
    if (SERVER) await createDatabase(SERVER, nameOf(size))
    const first = await startParley(env, dataDir)
    await first.stop()
    await writeFile(headersFile, JSON.stringify(first.headers))
  }
  const database = await openDatabase({ databaseUrl, dataDir })
  const isComplete =
    (await fillHistory(database, size, until)) &&
    (await indexHistory(database, Number(INDEXED ?? 2 * size), until))
  await database.close()
  if (!isComplete) return null
  return { size, dataDir, databaseUrl, env, headers: JSON.parse(await readFile(headersFile, 'utf8')) }
}

function nameOf(size: number): string {
  return `parley_scaling_${size}`
}

async function measure(databases: readonly Filled[]): Promise<void> {
  const port = await freePort()
  const model = await startServer('model', ['bench/support/model-server.ts', `${port}`, 'packet'], port)
  const served: Served[] = []
  const rows: (string | number)[][] = []
  const row = (name: string, values: number[]) =>
    rows.push([name, ...values, (values.at(-1) ?? 0) / (values[0] ?? 1)])
  for (const { replicas, ...one } of databases.flatMap((one) =>
    REPLICAS.map((replicas) => ({ ...one, replicas })),
  )) {
    const servers: BenchServer[] = []
    const began = performance.now()
    const env = { ...one.env, PARLEY_MODEL_URL: `${model.url}/v1`, PARLEY_MODEL: 'any' }
    for (let replica = 0; replica < replicas; replica++)
      servers.push({ ...(await startParley(env, one.dataDir)), headers: one.headers })
    served.push({ ...one, servers, startedMs: (performance.now() - began) / replicas })
  }
  const mebibytes = await Promise.all(served.map(mebibytesOf))
  row('MiB on disk', mebibytes)
  row(
    'bytes a conversation',
    served.map(({ size }, at) => ((mebibytes[at] ?? 0) * 2 ** 20) / size),
  )
  row(
    'ms to start',
    served.map(({ startedMs }) => startedMs),
  )
  await measurePrompts(served, row)
  if (process.env.ONLY !== 'prompts') {
    for (const [name, ask] of Object.entries(requests())) row(`${name}, p50 ms`, await byTurns(served, ask))
    row('a step of retention, ms', await steps(served))
  }
  row(
    'MiB of memory',
    served.map(({ servers }) => median(servers.map((server) => server.memory()))),
  )
  for (const { servers } of served) for (const server of servers) await server.stop()
  await model.stop()
  const names = served.map(({ size, servers }) =>
    servers.length === 1 ? `${size}` : `${size}, ${servers.length} replicas`,
  )
  printTable([['', ...names, 'ratio'], ...rows])
}

async function measurePrompts(
  served: readonly Served[],
  row: (name: string, values: number[]) => void,
): Promise<void> {
  for (const connections of CONNECTIONS) {
    const loads = served.map((): Load[] => [])
    for (let round = -1; round < ROUNDS; round++)
      for (const [at, { servers }] of served.entries()) {
        const each = await Promise.all(servers.map((server) => prompts(server, connections / servers.length)))
        if (round >= 0) loads[at]?.push(together(each))
      }
    const of = (value: (load: Load) => number) => loads.map((rounds) => median(rounds.map(value)))
    const name = `prompts, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
    row(
      `${name}, a second`,
      of(({ perSecond }) => perSecond),
    )
    row(
      `${name}, p50 ms`,
      of(({ latencies }) => quantile(latencies, 0.5)),
    )
    row(
      `${name}, p99 ms`,
      of(({ latencies }) => quantile(latencies, 0.99)),
    )
    row(
      `${name}, processor ms`,
      of(({ cpu }) => cpu),
    )
  }
}

function prompts(server: BenchServer, connections: number): Promise<Load> {
  return load(server, {
    path: '/api/v1/chat/completions',
    connections: Math.max(1, Math.round(connections)),
    seconds: SECONDS,
    next: () => ({
      body: JSON.stringify({
        user: `user-0-${Math.floor(random() * 10_000)}`,
        messages: [{ role: 'user', content: `Where is my parcel ${Math.floor(random() * 1e9)}?` }],
      }),
      headers: {},
    }),
  })
}

/** Joins what was measured at several servers at the same time. */
function together(loads: readonly Load[]): Load {
  const latencies = loads.flatMap(({ latencies }) => latencies).sort((a, b) => a - b)
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies,
    firstBytes: [],
    cpu: loads.reduce((sum, { cpu, latencies }) => sum + cpu * latencies.length, 0) / latencies.length,
  }
}

type Ask = (served: Served) => Promise<void>

/** The requests that are asked by turns, each time with other values. */
function requests(): Record<string, Ask> {
  const any = (most: number) => 1 + Math.floor(random() * most)
  const near = (rank: number) => wordOf(rank + any(rank / 10))
  const get = (path: (served: Served) => string) => (served: Served) => ask(served, path(served))
  const erased = new Map<number, number>()
  const begun = Math.floor(Date.now() / 1000)
  /** Returns conversations of the third quarter, each once, and others than in a run before on the same database. */
  const nextOf = (size: number) => {
    const next = (erased.get(size) ?? begun) + 1
    erased.set(size, next)
    return Math.floor(size / 2) + (next % Math.floor(size / 4))
  }
  return {
    'conversations, page 1': get(() => '/conversations'),
    'conversations, the middle page': get(({ size }) => `/conversations?page=${Math.floor(size / 100)}`),
    'inbox, all': get(() => '/inbox?view=all'),
    'inbox, unassigned, longest waiting first': get(() => '/inbox?view=unassigned&sort=waiting'),
    'inbox, of a user': get(() => `/inbox?view=all&user_id=user-0-${any(9999)}`),
    'inbox, with a tag': get(() => '/inbox?view=all&tag=plan:pro'),
    'a conversation': get(({ size }) => `/conversations/ticket-${any(size)}`),
    'search, an order number': get(({ size }) => `/search?q=order${size - any(Math.min(size, 10_000))}`),
    'search, a word in every fifth message': get(() => `/search?q=${near(12)}`),
    'search, three words': get(() => `/search?q=${near(30)}+${near(60)}+${near(200)}`),
    'analytics of 30 days': get(() => '/analytics'),
    'erasure of a completion': (served) =>
      ask(served, `/chat/completions/${nextOf(served.size)}/scrub`, { method: 'POST' }),
    'erasure of a user': (served) =>
      ask(
        served,
        `/users/api:user-${Math.floor(served.size / 200_000)}-${nextOf(served.size) % 5000}/scrub`,
        { method: 'POST' },
      ),
    'first byte of an export of all': (served) => firstByte(served, '/export'),
    metrics: (served) => ask(served, '/metrics', { base: '' }),
  }
}

/** Returns the median of each database, in milliseconds. */
async function byTurns(served: readonly Served[], ask: Ask): Promise<number[]> {
  const times = served.map((): number[] => [])
  for (let round = -3; round < TIMES; round++)
    for (const [at, one] of served.entries()) {
      const begun = performance.now()
      await ask(one)
      if (round >= 0) times[at]?.push(performance.now() - begun)
    }
  return times.map(median)
}

async function ask(
  { servers: [server], headers }: Pick<Served, 'servers' | 'headers'>,
  path: string,
  { base = '/api/v1', ...init }: { base?: string; method?: string; body?: string } = {},
): Promise<void> {
  const type = init.body ? { 'content-type': 'application/json' } : {}
  const answer = await fetch(`${server?.url}${base}${path}`, { ...init, headers: { ...headers, ...type } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`)
}

async function firstByte({ servers: [server], headers }: Served, path: string): Promise<void> {
  const leaving = new AbortController()
  const answer = await fetch(`${server?.url}/api/v1${path}`, { headers, signal: leaving.signal })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  await answer.body?.getReader().read()
  leaving.abort()
}

/** Returns for each database how long a step of retention takes, when so many conversations are due. */
async function steps(served: readonly Served[]): Promise<number[]> {
  const times: number[] = []
  for (const { size, env, dataDir, servers, headers } of served) {
    const keep = (retention: object | null) =>
      ask({ servers, headers }, '/agent', { method: 'PATCH', body: JSON.stringify({ retention }) })
    await keep({ days: 1, mode: 'scrub' })
    const config = { ...env, PARLEY_DATA_DIR: dataDir, PARLEY_MASTER_KEY: MASTER_KEY }
    const foundation = await openFoundation(readConfig(config))
    // The next ones of the oldest that no run has redacted.
    const { created_at } = await foundation.database.db
      .selectFrom('completions')
      .select('created_at')
      .where('agent_id', '=', 1)
      .where('redacted', 'is', null)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirstOrThrow()
    const due = Date.parse(created_at) + (DUE * DAYS * DAY_MS) / size
    const begun = performance.now()
    await applyRetentionAt({ app: { foundation } }, due + DAY_MS, undefined, BATCH)
    times.push((performance.now() - begun) / ((DUE * 2) / BATCH))
    await foundation.close()
    // The service itself would redact the rest.
    await keep(null)
  }
  return times
}

async function mebibytesOf({ databaseUrl, dataDir }: Filled): Promise<number> {
  if (!databaseUrl) return (await stat(join(dataDir, 'parley.db'))).size / 2 ** 20
  const { db, close } = await openDatabase({ databaseUrl, dataDir })
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  await close()
  return Number(rows[0]?.bytes) / 2 ** 20
}
