// How many signed messenger-three events a second are accepted, each on disk before its 200, beside a bare route that
// only checks the signature, and on SQLite beside the same route with the rows and flushes of an event? And how long does
// one take at half of that rate?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, quantile } from '../test/support/quantile.ts'
import { makeChannel, nextEvent, SECRET } from './support/channel-events.ts'
import { load, printTable } from './support/load.ts'
import { freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const CONNECTIONS = 32
const DATABASE = process.env.PARLEY_TEST_DATABASE_URL

// The mailboxes are not worked, so that only accepting is measured.
const parley = await startParley({
  PARLEY_ROLES: 'api',
  PARLEY_BACKLOG_LIMIT: '1000000000',
  ...(DATABASE ? { PARLEY_DATABASE_URL: DATABASE } : {}),
})
const path = await makeChannel(parley)
const port = await freePort()
const bare = await startServer('bare', ['bench/support/bare-webhook.ts', String(port), SECRET], port)
const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const targets = [
  { server: bare, path: '/hook' },
  ...(DATABASE ? [] : [{ server: await floor(), path: '/hook' }]),
  { server: { ...parley, headers: {} }, path },
]

const rates = new Map<string, number[]>()
for (let round = 0; round <= ROUNDS; round++) {
  for (const { server, path } of targets) {
    const { perSecond } = await load(server, {
      path,
      next: nextEvent,
      connections: CONNECTIONS,
      seconds: SECONDS,
    })
    if (round > 0) rates.set(server.name, [...(rates.get(server.name) ?? []), perSecond])
  }
}
const rate = (name: string) => median(rates.get(name) ?? [])
printTable([
  ['', 'per second', 'of bare'],
  ...targets.map(({ server: { name } }) => [name, rate(name), rate(name) / rate('bare')]),
])

const half = rate('parley') / 2
const { latencies } = await load(
  { ...parley, headers: {} },
  {
    path,
    next: nextEvent,
    connections: CONNECTIONS,
    seconds: SECONDS * 2,
    everyMs: (CONNECTIONS * 1000) / half,
  },
)
process.stdout.write(
  `at ${half.toFixed(0)} a second: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms\n`,
)
await Promise.all([parley.stop(), ...targets.map(({ server }) => server.stop())])
await rm(directory, { recursive: true })

/** Starts a bare route over a database that Parley has made, with a channel in it. */
async function floor() {
  const maker = await startParley({}, directory)
  await makeChannel(maker)
  await maker.stop()
  const port = await freePort()
  const words = ['bench/support/floor-routes.ts', `${port}`, join(directory, 'parley.db'), SECRET]
  return startServer('floor', words, port)
}
