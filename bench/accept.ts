// How many signed messenger-three events a second are accepted, each on disk before its 200, beside a bare route that
// only checks the signature? And how long does one take at half of that rate?
import { createHmac } from 'node:crypto'
import { load, median, printTable, quantile } from './support/load.ts'
import { freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const CONNECTIONS = 32
const SECRET = 'channel-secret-of-the-bench'
const DESTINATION = `U${'1'.repeat(32)}`
const DATABASE = process.env.PARLEY_TEST_DATABASE_URL

let count = 0

/** A new text message of one of a thousand people, signed. */
function next() {
  const id = ++count
  const body = JSON.stringify({
    destination: DESTINATION,
    events: [
      {
        type: 'message',
        mode: 'active',
        timestamp: 1_749_416_383_000,
        webhookEventId: `01BENCH${process.pid}${id}`,
        deliveryContext: { isRedelivery: false },
        replyToken: `token-${id}`,
        source: { type: 'user', userId: `U${String(id % 1000).padStart(32, '0')}` },
        message: {
          type: 'text',
          id: String(id),
          text: 'Where is my order? I have waited for a week.',
          quoteToken: 'q',
        },
      },
    ],
  })
  return { body, headers: { 'x-line-signature': createHmac('sha256', SECRET).update(body).digest('base64') } }
}

// Only accepting is measured: nothing works the mailboxes meanwhile.
const parley = await startParley({
  PARLEY_ROLES: 'api',
  PARLEY_BACKLOG_LIMIT: '1000000000',
  ...(DATABASE ? { PARLEY_DATABASE_URL: DATABASE } : {}),
})
const created = await fetch(`${parley.url}/api/v1/channels`, {
  method: 'POST',
  headers: { ...parley.headers, 'content-type': 'application/json' },
  body: JSON.stringify({
    kind: 'messenger-three',
    settings: { channel_secret: SECRET, destination: DESTINATION },
  }),
})
const { data } = (await created.json()) as { data: { id: number } }
const port = await freePort()
const bare = await startServer('bare', ['bench/support/bare-webhook.ts', String(port), SECRET], port)
const targets = [
  { server: bare, path: '/hook' },
  { server: { ...parley, headers: {} }, path: `/api/v1/channels/${data.id}/messenger-three` },
]

const rates = new Map<string, number[]>()
for (let round = 0; round <= ROUNDS; round++) {
  for (const { server, path } of targets) {
    const { perSecond } = await load(server, { path, next, connections: CONNECTIONS, seconds: SECONDS })
    if (round > 0) rates.set(server.name, [...(rates.get(server.name) ?? []), perSecond])
  }
}
const rate = (name: string) => median(rates.get(name) ?? [])
printTable([
  ['', 'per second', 'of bare'],
  ...targets.map(({ server: { name } }) => [name, rate(name), rate(name) / rate('bare')]),
])

const half = rate('parley') / 2
const { latencies } = await load(targets[1]?.server ?? parley, {
  path: targets[1]?.path ?? '',
  next,
  connections: CONNECTIONS,
  seconds: SECONDS * 2,
  everyMs: (CONNECTIONS * 1000) / half,
})
process.stdout.write(
  `at ${half.toFixed(0)} a second: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms\n`,
)
await Promise.all([parley.stop(), bare.stop()])
