// What does a turn with three tool calls cost beyond the time of the model and the tools? The calls are parallel in one
// round, or one in each of three rounds, of HTTP endpoints and of an MCP server; beside a bare loop that stores and
// checks nothing, and beside turns without calls.

import { median, quantile } from '../test/support/quantile.ts'
import { create } from './support/create.ts'
import { load, printTable } from './support/load.ts'
import { freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const CONNECTIONS = [1, 10]
const TURNS = ['none', 'beside', 'after']

const peersPort = await freePort()
const peers = await startServer('peers', ['bench/support/tool-peers.ts', `${peersPort}`], peersPort)
const loopPort = await freePort()
const loopWords = ['bench/support/bare-tool-loop.ts', `${loopPort}`, peers.url]
const settings = { PARLEY_MODEL_URL: `${peers.url}/v1`, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' }
const bare = await startServer('bare loop', loopWords, loopPort)
const http = await startParley(settings)
const mcp = await startParley(settings)
const servers = new Map([
  ['bare loop', bare],
  ['HTTP', http],
  ['MCP', mcp],
])
const parameters = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
await create(http, 'tools', {
  kind: 'http',
  name: 'find_order',
  description: 'Finds an order by its number.',
  parameters,
  url: `${peers.url}/orders/{number}`,
})
await create(mcp, 'tools', { kind: 'mcp', name: 'shop', url: `${peers.url}/mcp` })

for (const connections of CONNECTIONS) {
  const taken = new Map<string, number[]>()
  const used = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const turn of TURNS)
      for (const [name, server] of servers) {
        const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: turn }] })
        const path = '/api/v1/chat/completions'
        const { latencies, cpu } = await load(server, { path, body, connections, seconds: SECONDS })
        // The first round warms up.
        if (round === 0) continue
        const key = `${turn} ${name}`
        taken.set(key, [...(taken.get(key) ?? []), quantile(latencies, 0.5)])
        used.set(key, [...(used.get(key) ?? []), cpu])
      }
  }
  const of = (values: Map<string, number[]>, turn: string, name: string) =>
    median(values.get(`${turn} ${name}`) ?? [])
  const rows = TURNS.flatMap((turn) =>
    [...servers.keys()].map((name) => [
      turn,
      name,
      of(taken, turn, name),
      of(taken, turn, name) - of(taken, turn, 'bare loop'),
      of(used, turn, name),
      of(used, turn, name) - of(used, 'none', name),
    ]),
  )
  process.stdout.write(`\n${connections} connections\n`)
  printTable([['calls', 'by', 'p50 ms', 'over bare loop', 'CPU ms each', 'over no calls'], ...rows])
}
for (const server of servers.values()) await server.stop()
await peers.stop()
