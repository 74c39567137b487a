// What does a prompt cost through Parley? JSON and 50-piece streams, everything stored durably (SQLite), beside the
// model server asked directly, a bare Fastify relay that stores nothing, and Portkey's gateway.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, quantile } from '../test/support/quantile.ts'
import { type Load, type LoadOptions, load, printTable } from './support/load.ts'
import { type BenchServer, freePort, ROOT, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 3)
const PEERS = join(ROOT, 'bench', '.peers', 'portkey')
const PIECE_EVERY_MS = 40

const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
const json = JSON.stringify({ model: 'any', messages })
const stream = JSON.stringify({ model: 'any', messages, stream: true })

await withServers('packet', async (compare) => {
  for (const connections of [1, 10, 32])
    await compare(`JSON, ${connections} connections`, json, { connections })
  await compare('JSON, 10 connections, each a prompt every 50 ms', json, { connections: 10, everyMs: 50 })
  for (const connections of [1, 10, 32])
    await compare(`streams of one packet, ${connections} connections`, stream, { connections })
})
await withServers('packets', async (compare) => {
  for (const connections of [1, 10, 32])
    await compare(`streams of 50 packets, ${connections} connections`, stream, { connections })
  const steady = { connections: 10, everyMs: 100 }
  await compare('streams of 50 packets, 10 connections, each one every 100 ms', stream, steady)
})
await withServers(`${PIECE_EVERY_MS}`, async (compare) => {
  const name = `200 streams at once, a piece every ${PIECE_EVERY_MS} ms`
  const spreadMs = PIECE_EVERY_MS * 50
  await compare(name, stream, { connections: 200, seconds: SECONDS * 2, spreadMs })
})

type Compare = (
  title: string,
  body: string,
  options: Pick<LoadOptions, 'connections' | 'everyMs' | 'spreadMs'> & { seconds?: number },
) => Promise<void>

/** Starts one process each over a model server of some pace; `compare` asks them in turns, round by round. */
async function withServers(pace: string, work: (compare: Compare) => Promise<void>): Promise<void> {
  const modelPort = await freePort()
  const direct = await startServer(
    'direct',
    ['bench/support/model-server.ts', `${modelPort}`, pace],
    modelPort,
  )
  const model = `${direct.url}/v1`
  const barePort = await freePort()
  const bare = await startServer(
    'bare relay',
    ['bench/support/bare-relay.ts', `${barePort}`, model],
    barePort,
  )
  const parley = await startParley({ PARLEY_MODEL_URL: model })
  const servers: [BenchServer, string][] = [
    [direct, '/v1/chat/completions'],
    [bare, '/api/v1/chat/completions'],
    [parley, '/api/v1/chat/completions'],
    [await startPortkey(model), '/v1/chat/completions'],
  ]
  for (const [server, path] of servers) await checkStream(server, path)
  await work(async (title, body, { seconds = SECONDS, ...options }) => {
    const results = new Map<string, Load[]>()
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const [server, path] of servers) {
        const measured = await load(server, { path, body, ...options, seconds: round === 0 ? 1 : seconds })
        // The first round warms up.
        if (round > 0) results.set(server.name, [...(results.get(server.name) ?? []), measured])
      }
    }
    process.stdout.write(`\n${title}\n`)
    printResults(results)
  })
  for (const [server] of servers.reverse()) await server.stop()
}

/** Prints the medians of the rounds; `added` is the time that a server adds to the model server asked directly. */
function printResults(results: Map<string, Load[]>): void {
  const of = (name: string, read: (load: Load) => number) => median((results.get(name) ?? []).map(read))
  const rate = ({ perSecond }: Load) => perSecond
  const p50 = ({ latencies }: Load) => quantile(latencies, 0.5)
  const p99 = ({ latencies }: Load) => quantile(latencies, 0.99)
  const first = ({ firstBytes }: Load) => quantile(firstBytes, 0.5)
  printTable([
    ['', 'per second', 'of portkey', 'p50 ms', 'p99 ms', 'added p50', 'p99', 'first piece', 'CPU ms each'],
    ...[...results.keys()].map((name) => [
      name,
      of(name, rate),
      of(name, rate) / of('portkey', rate),
      of(name, p50),
      of(name, p99),
      ...[p50, p99, first].map((read) => of(name, read) - of('direct', read)),
      of(name, ({ cpu }) => cpu),
    ]),
  ])
}

/** Checks that a stream is whole, because a gateway that loses pieces would look fast. */
async function checkStream(server: BenchServer, path: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...server.headers }
  const response = await fetch(server.url + path, { method: 'POST', headers, body: stream })
  const text = await response.text()
  const pieces = text.split('" word').length - 1
  if (pieces !== 50 || !text.trimEnd().endsWith('data: [DONE]'))
    throw new Error(`${server.name} streamed ${pieces} pieces`)
}

/** Starts Portkey's gateway in a folder of its own; the override keeps its streams from failing. */
async function startPortkey(model: string): Promise<BenchServer> {
  if (!existsSync(join(PEERS, 'node_modules'))) {
    mkdirSync(PEERS, { recursive: true })
    const manifest = {
      private: true,
      dependencies: { '@portkey-ai/gateway': '1.15.2' },
      overrides: { '@hono/node-server': '1.14.1' },
    }
    writeFileSync(join(PEERS, 'package.json'), JSON.stringify(manifest))
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' })
  }
  const port = await freePort()
  const script = join(PEERS, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': model,
    authorization: 'Bearer none',
  }
  return startServer('portkey', [script, `--port=${port}`, '--headless'], port, {}, headers)
}
