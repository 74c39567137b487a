// What does a prompt cost through Parley? JSON and 50-piece streams, everything stored durably (SQLite), beside the
// model server asked directly, a bare Fastify relay that stores nothing, and Portkey's gateway.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, load, median, printTable, quantile } from './support/load.ts'
import { type BenchServer, freePort, ROOT, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 3)
const PEERS = join(ROOT, 'bench', '.peers', 'portkey')

const modelPort = await freePort()
const direct = await startServer(
  'direct',
  ['test/support/model-server.ts', '--port', `${modelPort}`, '--pieces', '50'],
  modelPort,
)
const model = `${direct.url}/v1`
const barePort = await freePort()
const bare = await startServer('bare relay', ['bench/support/bare-relay.ts', `${barePort}`, model], barePort)
const parley = await startParley({ PARLEY_MODEL_URL: model })
const servers: [BenchServer, string][] = [
  [direct, '/v1/chat/completions'],
  [bare, '/api/v1/chat/completions'],
  [parley, '/api/v1/chat/completions'],
  [await startPortkey(model), '/v1/chat/completions'],
]

const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }]
for (const stream of [false, true]) {
  const body = JSON.stringify({ model: 'any', messages, stream })
  for (const connections of [1, 10, 32]) {
    const results = new Map<string, Load[]>()
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const [server, path] of servers) {
        const measured = await load(server, { path, body, connections, seconds: round === 0 ? 1 : SECONDS })
        // The first round warms up.
        if (round > 0) results.set(server.name, [...(results.get(server.name) ?? []), measured])
      }
    }
    const of = (name: string, read: (load: Load) => number) => median((results.get(name) ?? []).map(read))
    process.stdout.write(`\n${stream ? '50-piece streams' : 'JSON'}, ${connections} connections\n`)
    printTable([
      ['', 'per second', 'of portkey', 'p50 ms', 'p99 ms', 'first ms', 'CPU ms each'],
      ...servers.map(([{ name }]) => [
        name,
        of(name, ({ perSecond }) => perSecond),
        of(name, ({ perSecond }) => perSecond) / of('portkey', ({ perSecond }) => perSecond),
        of(name, ({ latencies }) => quantile(latencies, 0.5)),
        of(name, ({ latencies }) => quantile(latencies, 0.99)),
        of(name, ({ firstBytes }) => quantile(firstBytes, 0.5)),
        of(name, ({ cpu }) => cpu),
      ]),
    ])
  }
}
for (const [server] of servers.reverse()) await server.stop()

/** Portkey's gateway in a folder of its own; the override keeps its streams from failing. */
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
  return startServer(
    'portkey',
    [script, `--port=${port}`, '--headless'],
    port,
    {},
    {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': model,
      authorization: 'Bearer none',
    },
  )
}
