// How long does a prompt of one agent take while another agent of the same process gets as many as it can answer?
// PARLEY_TEST_DATABASE_URL names an empty PostgreSQL database, else it is SQLite.
import { addAgent } from './support/create.ts'
import { load, printTable, quantile } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const SECONDS = Number(process.env.SECONDS ?? 5)
const url = process.env.PARLEY_TEST_DATABASE_URL

const modelPort = await freePort()
const model = await startServer(
  'model',
  ['bench/support/model-server.ts', `${modelPort}`, 'packet'],
  modelPort,
)
const settings = { PARLEY_MODEL_URL: `${model.url}/v1`, PARLEY_ROLES: 'api' }
const busy = await startParley({ ...settings, ...(url ? { PARLEY_DATABASE_URL: url } : {}) })
const neighbour: BenchServer = { ...busy, name: 'neighbour', headers: await addAgent(busy) }

const path = '/api/v1/chat/completions'
const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
const body = JSON.stringify({ model: 'any', messages })
await load(busy, { path, body, connections: 10, seconds: SECONDS })
const rows: (string | number)[][] = [
  ['connections of the busy agent', 'its prompts a second', "neighbour's p50 ms", 'p99 ms'],
]
for (const connections of [0, 32, 100]) {
  const [flood, one] = await Promise.all([
    connections > 0 ? load(busy, { path, body, connections, seconds: SECONDS }) : null,
    load(neighbour, { path, body, connections: 1, seconds: SECONDS }),
  ])
  const { latencies } = one
  rows.push([connections, flood?.perSecond ?? 0, quantile(latencies, 0.5), quantile(latencies, 0.99)])
}
printTable(rows)
await busy.stop()
await model.stop()
