// How soon do listeners hear of a message, and what do idle ones cost? On both engines. LISTENERS (1,000) listen to 100
// conversations while prompts pour into them; then IDLE (10,000) streams of other agents are opened.
import { connect, type Socket } from 'node:net'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres.ts'
import { quantile } from '../test/support/quantile.ts'
import { addAgent } from './support/create.ts'
import { load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const LISTENERS = Number(process.env.LISTENERS ?? 1000)
const IDLE = Number(process.env.IDLE ?? 10_000)
const SECONDS = Number(process.env.SECONDS ?? 10)
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 5)
const CONVERSATIONS = 100
const OF_AN_AGENT = 1000

const modelPort = await freePort()
const model = await startServer(
  'model',
  ['bench/support/model-server.ts', `${modelPort}`, 'packet'],
  modelPort,
)
const postgres = await startPostgres({ isDurable: true })
const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()
for (const kind of ['sqlite', 'postgres'] as const) {
  const name = `bench_${process.pid}`
  if (kind === 'postgres') await admin.query(`create database ${name}`)
  const url = postgres.url.replace(/\/postgres$/, `/${name}`)
  const parley = await startParley({
    PARLEY_MODEL_URL: `${model.url}/v1`,
    ...(kind === 'postgres' ? { PARLEY_DATABASE_URL: url } : {}),
  })
  process.stdout.write(`\n${kind}\n`)
  await measureLatency(parley)
  await measureIdle(parley)
  await parley.stop()
  if (kind === 'postgres') await admin.query(`drop database ${name} with (force)`)
}
await admin.end()
await postgres.stop()
await model.stop()

async function measureLatency(parley: BenchServer): Promise<void> {
  const conversations: string[] = []
  for (let n = 0; n < CONVERSATIONS; n++) conversations.push(await prompt(parley, {}))
  const delays: number[] = []
  const streams: Socket[] = []
  for (let n = 0; n < LISTENERS; n++) {
    const path = `/api/v1/live?conversation_id=${conversations[n % CONVERSATIONS]}`
    streams.push(await listen(parley, parley.headers, path, (text) => hear(text, delays)))
  }
  let next = 0
  const body = () => ({
    body: promptBody({ conversation_id: conversations[next++ % CONVERSATIONS] }),
    headers: {},
  })
  const { perSecond } = await load(parley, {
    path: '/api/v1/chat/completions',
    next: body,
    connections: CONNECTIONS,
    seconds: SECONDS,
  })
  for (const stream of streams) stream.destroy()
  delays.sort((a, b) => a - b)
  printTable([
    ['listeners', 'prompts/s', 'events heard', 'median ms', 'p99 ms'],
    [`${LISTENERS}`, perSecond, delays.length, quantile(delays, 0.5), quantile(delays, 0.99)],
  ])
}

async function measureIdle(parley: BenchServer): Promise<void> {
  const measure = () =>
    load(parley, {
      path: '/api/v1/chat/completions',
      body: promptBody({}),
      connections: CONNECTIONS,
      seconds: SECONDS,
    })
  await measure()
  const without = await measure()
  const before = parley.memory()
  const streams: Socket[] = []
  for (let agent = 0; agent < IDLE / OF_AN_AGENT; agent++) {
    const headers = await addAgent(parley)
    for (let n = 0; n < OF_AN_AGENT; n++)
      streams.push(await listen(parley, headers, '/api/v1/live', () => {}))
  }
  const each = ((parley.memory() - before) * 1024) / streams.length
  const begun = parley.cpu()
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  const idle = (parley.cpu() - begun) / 15
  const beside = await measure()
  for (const stream of streams) stream.destroy()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const after = await measure()
  printTable([
    ['idle streams', 'KiB each', 'CPU %', 'prompts/s before', 'beside', 'after', 'CPU ms a prompt', 'beside'],
    [
      `${streams.length}`,
      each,
      idle * 100,
      without.perSecond,
      beside.perSecond,
      after.perSecond,
      (without.cpu + after.cpu) / 2,
      beside.cpu,
    ],
  ])
}

/** Notes the delays since just before the commit, which is the time that an event carries. */
function hear(text: string, delays: number[]): void {
  const now = Date.now()
  for (const [, at = ''] of text.matchAll(/"type":"message","conversation_id":"[^"]*","at":"([^"]*)"/g))
    delays.push(now - Date.parse(at))
}

/** Opens a stream; resolves when it has begun. */
async function listen(
  { url }: BenchServer,
  headers: Record<string, string>,
  path: string,
  heard: (text: string) => void,
): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.setEncoding('utf8')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (text: string) =>
      text.startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(text.slice(0, 300))),
    )
  })
  socket.on('error', () => {})
  socket.on('data', heard)
  return socket
}

function promptBody(fields: object): string {
  return JSON.stringify({
    model: 'any',
    messages: [{ role: 'user', content: 'When do you open?' }],
    ...fields,
  })
}

async function prompt(parley: BenchServer, fields: object): Promise<string> {
  const answer = await fetch(`${parley.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { ...parley.headers, 'content-type': 'application/json' },
    body: promptBody(fields),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { conversation_id: string }).conversation_id
}
