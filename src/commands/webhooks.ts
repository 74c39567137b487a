import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../lib/node-http.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type Command, UsageError } from './command.ts'

const TOLERANCE_S = 300
const LARGEST = 1024 * 1024

export const webhooksListen: Command = {
  name: 'webhooks listen',
  usage: '[--port N] [--secret S] [--status N]',
  summary: 'Receive notifications on this machine, check their signatures and print them',
  options: { port: { type: 'string' }, secret: { type: 'string' }, status: { type: 'string' } },
  async run({ options, print }) {
    const port = wholeNumber(options.port, '--port', 0, 65_535) ?? 4000
    const status = wholeNumber(options.status, '--status', 200, 599) ?? 200
    const secret = typeof options.secret === 'string' ? options.secret : null
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) {
        body += chunk
        if (body.length > LARGEST) return void response.writeHead(413).end()
      }
      const described = describe(body, request.headers, secret)
      print(described, [
        [described.event ?? 'no event', described.webhook_id ?? '-', described.verdict],
        ...(described.payload === null ? [body] : JSON.stringify(described.payload, null, 2).split('\n')),
      ])
      response.writeHead(status, { 'content-type': 'text/plain' }).end()
    }
    const server = createServer((request, response) => {
      // A request whose sender goes away before its end is ignored.
      receive(request, response).catch(() => response.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    print({ url }, `Waiting for notifications at ${url}`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    server.closeAllConnections()
    server.close()
    return 0
  },
}

function describe(body: string, headers: IncomingHttpHeaders, secret: string | null) {
  let payload: { event?: { key?: string } } | null = null
  try {
    payload = JSON.parse(body)
  } catch {
    // The body is printed as it came.
  }
  return {
    event: payload?.event?.key ?? null,
    webhook_id: String(headers['webhook-id'] ?? '') || null,
    verdict: verify(body, headers, secret, Date.now()),
    payload,
  }
}

/** Checks whether a notification is genuine, as every receiver should. */
function verify(
  body: string,
  headers: IncomingHttpHeaders,
  secret: string | null,
  nowMs: number,
): 'verified' | 'not checked: no --secret' | 'not signed' | 'wrong secret' | 'wrong signature' | 'too old' {
  if (secret === null) return 'not checked: no --secret'
  const shared = headers['x-webhook-secret']
  if (typeof shared === 'string') return equalInConstantTime(shared, secret) ? 'verified' : 'wrong secret'
  const signature = headers['x-webhook-signature']
  const timestamp = headers['x-webhook-timestamp']
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'not signed'
  const made = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  if (!equalInConstantTime(signature, `sha256=${made}`)) return 'wrong signature'
  return Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_S ? 'verified' : 'too old'
}

function wholeNumber(value: unknown, name: string, least: number, most: number): number | null {
  if (value === undefined) return null
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= least && number <= most))
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
  return number
}
