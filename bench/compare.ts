// What do a prompt, a page of conversations and a channel's event cost beside an earlier state of Parley? OTHER names a
// checkout of it, with its packages installed: OTHER=../parley-before npx node bench/compare.ts. ONLY='JSON, 10' runs
// only the comparisons with these words in their title. Both processes are asked in turns; PARLEY_TEST_DATABASE_URL and
// OTHER_DATABASE_URL name two empty PostgreSQL databases, else both use SQLite.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median, quantile } from '../test/support/quantile.ts'
import { makeChannel, nextEvent } from './support/channel-events.ts'
import { type Load, type LoadOptions, load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const OTHER = process.env.OTHER
const ONLY = process.env.ONLY ?? ''
if (!OTHER) throw new Error('OTHER must name a checkout to compare with')

const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
const json = JSON.stringify({ model: 'any', messages })
const stream = JSON.stringify({ model: 'any', messages, stream: true })

const modelPort = await freePort()
const model = await startServer(
  'model',
  ['bench/support/model-server.ts', `${modelPort}`, 'packet'],
  modelPort,
)
const other: typeof import('./support/servers.ts') = await import(
  pathToFileURL(resolve(OTHER, 'bench/support/servers.ts')).href
)
// The mailboxes are not worked, so that only accepting is measured.
const env = {
  PARLEY_MODEL_URL: `${model.url}/v1`,
  PARLEY_BACKLOG_LIMIT: '1000000000',
  PARLEY_ROLES: 'api',
}
const servers: BenchServer[] = [
  { ...(await other.startParley({ ...env, ...database(process.env.OTHER_DATABASE_URL) })), name: 'before' },
  { ...(await startParley({ ...env, ...database(process.env.PARLEY_TEST_DATABASE_URL) })), name: 'now' },
]
for (const server of servers) await replaceKnowledge(server)
const prompts = () => '/api/v1/chat/completions'
await compare('prompts, JSON, 1 connection', prompts, { body: json, connections: 1 })
await compare('prompts, JSON, 10 connections', prompts, { body: json, connections: 10 })
await compare('prompts, JSON, 32 connections', prompts, { body: json, connections: 32 })
await compare('prompts, streams of one packet, 10 connections', prompts, { body: stream, connections: 10 })
await compare('pages of conversations, 10 connections', () => '/api/v1/conversations?page=3', {
  method: 'GET',
  connections: 10,
})
const webhooks = new Map<BenchServer, string>()
for (const server of servers) webhooks.set(server, await makeChannel(server))
await compare('events of a channel, 32 connections', (server) => webhooks.get(server) ?? '', {
  next: nextEvent,
  connections: 32,
})
for (const server of [...servers, model]) await server.stop()

/** Asks both in turns, round by round, and prints the medians and the ratio of each pair of rounds. */
async function compare(
  title: string,
  pathOf: (server: BenchServer) => string,
  options: Omit<LoadOptions, 'path' | 'seconds'>,
): Promise<void> {
  if (!title.includes(ONLY)) return
  const results = servers.map((): Load[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    // Each goes first in every second round.
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const server = servers[at]
      if (!server) continue
      const measured = await load(server, { path: pathOf(server), ...options, seconds: SECONDS })
      // The first round warms up.
      if (round > 0) results[at]?.push(measured)
    }
  }
  print(title, results)
}

/** Gives both the same documents: those that come with Parley grow with it, and each answer costs a search of them. */
async function replaceKnowledge({ url, headers: credentials }: BenchServer): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { ...credentials, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(`${url}/api/v1/knowledge${path}`, init)
    if (!response.ok) throw new Error(`${method} /knowledge answered ${response.status}`)
    return response.status === 204 ? null : response.json()
  }
  for (;;) {
    const { data } = (await ask('GET', '?per_page=100')) as { data: { id: number }[] }
    if (data.length === 0) break
    for (const { id } of data) await ask('DELETE', `/${id}`)
  }
  const content = 'We are open from nine to five, on Saturdays until noon. On Sundays the shop is closed.'
  await ask('POST', '', { title: 'Opening hours', content })
}

function print(title: string, results: Load[][]): void {
  process.stdout.write(`\n${title}\n`)
  const figures: [string, (load: Load) => number][] = [
    ['per second', ({ perSecond }) => perSecond],
    ['p50 ms', ({ latencies }) => quantile(latencies, 0.5)],
    ['p99 ms', ({ latencies }) => quantile(latencies, 0.99)],
    ['CPU ms each', ({ cpu }) => cpu],
  ]
  const [before = [], now = []] = results
  printTable([
    ['', 'before', 'now', 'now/before'],
    ...figures.map(([name, read]) => {
      const pairs = now.map((load, round) => read(load) / read(before[round] ?? load))
      return [name, median(before.map(read)), median(now.map(read)), median(pairs)]
    }),
  ])
}

function database(url: string | undefined): Record<string, string> {
  return url ? { PARLEY_DATABASE_URL: url } : {}
}
