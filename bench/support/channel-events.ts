import { createHmac } from 'node:crypto'
import { create } from './create.ts'
import type { BenchServer } from './servers.ts'

export const SECRET = 'channel-secret-of-the-bench'
const DESTINATION = `U${'1'.repeat(32)}`

let count = 0

/** Returns a new signed message of one of a thousand people: a text, or what `more` says. */
export function nextEvent(more: object = {}): { body: string; headers: Record<string, string> } {
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
          ...more,
        },
      },
    ],
  })
  return { body, headers: { 'x-line-signature': createHmac('sha256', SECRET).update(body).digest('base64') } }
}

/** Makes a channel that accepts these events. @returns the path of its webhook */
export async function makeChannel(parley: BenchServer, more: object = {}): Promise<string> {
  const settings = { channel_secret: SECRET, destination: DESTINATION, ...more }
  const { id } = await create(parley, 'channels', { kind: 'messenger-three', settings })
  return `/api/v1/channels/${id}/messenger-three`
}
