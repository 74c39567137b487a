// How long does a chat wait for its answer while the model of another agent of the same process never answers?
// PARLEY_TEST_DATABASE_URL names an empty PostgreSQL database, else it is SQLite.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeChannel, nextEvent } from './support/channel-events.ts'
import { addAgent, create } from './support/create.ts'
import { printTable, quantile } from './support/load.ts'
import { startParley } from './support/servers.ts'

const CHATS = Number(process.env.CHATS ?? 400)
const ASKED = Number(process.env.ASKED ?? 40)
const database = process.env.PARLEY_TEST_DATABASE_URL

/** Resolved by the next message that the platform receives: only the good agent sends any. */
let sent = Promise.withResolvers<void>()
const platform = await serve((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"sentMessages":[]}')
  sent.resolve()
})
let asked = 0
const hanging = await serve((request) => {
  request.resume()
  asked++
})
const parley = await startParley({
  PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
  ...(database ? { PARLEY_DATABASE_URL: database } : {}),
})
const good = { ...parley, headers: await addAgent(parley) }
await create(good, 'knowledge', { title: 'Orders', content: 'Where is my order? It takes a week.' })
const toPlatform = { api_base: platform.url, access_token: 'bench', debounce_ms: 0 }
const path = await makeChannel(good, toPlatform)
const bad = await makeChannel(parley, toPlatform)
const patched = await fetch(`${parley.url}/api/v1/agent`, {
  method: 'PATCH',
  headers: { ...parley.headers, 'content-type': 'application/json' },
  body: JSON.stringify({ model: { url: `${hanging.url}/v1`, name: 'hangs' } }),
})
if (!patched.ok) throw new Error(await patched.text())

const rows: (string | number)[][] = [['chats that hang', 'asked of the model', 'p50 ms', 'p99 ms']]
await measure()
for (const chats of [0, CHATS]) {
  for (let chat = 0; chat < chats; chat++) await say(bad)
  const waits = await measure()
  rows.push([chats, asked, quantile(waits, 0.5), quantile(waits, 0.99)])
}
printTable(rows)
await parley.stop()
platform.close()
hanging.close()

/** Asks the good agent one question after the other. @returns the milliseconds until each answer, sorted */
async function measure(): Promise<number[]> {
  const waits: number[] = []
  for (let question = 0; question < ASKED; question++) {
    sent = Promise.withResolvers()
    const begun = performance.now()
    await say(path)
    await sent.promise
    waits.push(performance.now() - begun)
  }
  return waits.toSorted((a, b) => a - b)
}

async function say(path: string): Promise<void> {
  const { body, headers } = nextEvent()
  const response = await fetch(parley.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
