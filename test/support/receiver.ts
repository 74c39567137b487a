import type { ServerResponse } from 'node:http'
import type { TestAgent } from './app.ts'
import { createAwaited } from './awaited.ts'
import { type Peer, type PeerRequest, startPeer } from './peer.ts'

/** A receiver of webhooks. */
export interface Receiver extends Peer {
  /** The deliveries that came, parsed, with their headers. */
  readonly received: Received[]
  /** Resolves when this many have come. */
  until(count: number): Promise<Received[]>
  /** Answers the next requests in place of the default 200. */
  respond: (response: ServerResponse, request: PeerRequest) => void
}

export interface Received {
  headers: PeerRequest['headers']
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  payload: any
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const awaited = createAwaited()
  const peer = await startPeer((response, request) => {
    received.push({ headers: request.headers, raw: request.body, payload: JSON.parse(request.body) })
    receiver.respond(response, request)
    awaited.tell()
  })
  const receiver: Receiver = Object.assign(peer, {
    received,
    respond: (response: ServerResponse) => void response.end('ok'),
    async until(count: number) {
      await awaited.until(() => received.length >= count, `delivery ${count}, ${received.length} are there`)
      return received
    },
  })
  return receiver
}

/** Creates a notification of an agent; by default it listens to everything. */
export async function addNotification(
  agent: TestAgent,
  url: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; secret: string }> {
  const { status, text, body } = await agent.post('/notifications', {
    name: 'Test receiver',
    url,
    events: ['*'],
    ...fields,
  })
  if (status !== 201) throw new Error(text)
  return body.data
}
