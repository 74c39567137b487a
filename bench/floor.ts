// What does a stored prompt cost at least? The bare relay, the same relay with the rows and flushes of a prompt (all of
// them; the least; with the database in a thread of its own), and Parley with and without documents, in turns.
import { median, quantile } from '../test/support/quantile.ts'
import { type Load, load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'
import { startFloor } from './support/start-floor.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)

const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
const body = JSON.stringify({ model: 'any', messages })
const path = '/api/v1/chat/completions'

const modelPort = await freePort()
const model = await startServer(
  'model',
  ['bench/support/model-server.ts', `${modelPort}`, 'packet'],
  modelPort,
)
const relayed = `${model.url}/v1`
const env = { PARLEY_MODEL_URL: relayed }
const empty = await startParley(env)
await forgetKnowledge(empty)
const servers: BenchServer[] = [
  await started('bare relay', (port) => ['bench/support/bare-relay.ts', port, relayed]),
  await startFloor('least rows', relayed, 'least'),
  await startFloor('all rows', relayed, 'all'),
  await startFloor('all rows, two threads', relayed, 'all', 'two'),
  { ...empty, name: 'parley, no documents' },
  { ...(await startParley(env)), name: 'parley' },
]
for (const connections of [1, 10, 32]) {
  const results = new Map<string, Load[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const server of servers) {
      const measured = await load(server, { path, body, connections, seconds: round === 0 ? 1 : SECONDS })
      // The first round warms up.
      if (round > 0) results.get(server.name)?.push(measured)
    }
  }
  const of = (name: string, read: (load: Load) => number) => median((results.get(name) ?? []).map(read))
  process.stdout.write(`\nJSON, ${connections} connections\n`)
  printTable([
    ['', 'per second', 'p50 ms', 'CPU ms each', 'of the bare relay'],
    ...[...results.keys()].map((name) => [
      name,
      of(name, ({ perSecond }) => perSecond),
      of(name, ({ latencies }) => quantile(latencies, 0.5)),
      of(name, ({ cpu }) => cpu),
      of(name, ({ cpu }) => cpu) / of('bare relay', ({ cpu }) => cpu),
    ]),
  ])
}
for (const server of [...servers, model]) await server.stop()

async function started(name: string, words: (port: string) => string[]): Promise<BenchServer> {
  const port = await freePort()
  return startServer(name, words(`${port}`), port)
}

async function forgetKnowledge(server: BenchServer): Promise<void> {
  const { headers, url } = server
  const response = await fetch(`${url}/api/v1/knowledge`, { headers })
  const { data } = (await response.json()) as { data: { id: number }[] }
  for (const { id } of data) {
    const { status } = await fetch(`${url}/api/v1/knowledge/${id}`, { method: 'DELETE', headers })
    if (status >= 300) throw new Error(`a document could not be deleted: ${status}`)
  }
}
