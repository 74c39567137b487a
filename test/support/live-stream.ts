import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createAwaited } from './awaited.ts'

/** The fields of a live event that tests look at. */
export interface LiveEvent {
  type: string
  conversation_id: string | null
  at: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  [field: string]: any
}

/** An open live stream. */
export interface LiveStream {
  status: number
  headers: IncomingMessage['headers']
  /** The id from which the stream resumes if it breaks off now. */
  lastId: string
  /** The events with counts of the inbox, which come by themselves. */
  counts: LiveEvent[]
  /** The events with numbers of notices, which come by themselves as well. */
  notices: LiveEvent[]
  /** All other events so far. */
  events: LiveEvent[]
  /** The id of each event, from which a client resumes after it. */
  ids: string[]
  /** Waits for the next event. */
  next(): Promise<LiveEvent>
  /** Waits for an event of a type, and skips others. */
  nextOf(type: string): Promise<LiveEvent>
  /** Resolves when the stream has ended, completely or broken off. */
  ended: Promise<void>
  leave(): void
  /** Stops reading, like a client that hangs. */
  hang(): void
}

/** Opens `GET /live`; for a refusal `events` holds only the body. */
export async function openLive(
  url: string,
  headers: Record<string, string>,
  told: (event: LiveEvent) => void = () => {},
): Promise<LiveStream> {
  const asked = request(url, { headers, agent: false })
  asked.on('error', () => {})
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const awaited = createAwaited()
  let seen = 0
  let text = ''
  const stream: LiveStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    lastId: headers['last-event-id'] ?? '',
    counts: [],
    notices: [],
    events: [],
    ids: [],
    async next() {
      const isReady = () => seen < stream.events.length || response.closed
      await awaited.until(isReady, `an event after ${JSON.stringify(stream.events.at(-1))}`)
      if (seen >= stream.events.length) throw new Error('the stream has ended')
      return stream.events[seen++] as LiveEvent
    },
    async nextOf(type) {
      for (;;) {
        const event = await stream.next()
        if (event.type === type) return event
      }
    },
    ended: new Promise((resolve) => response.once('close', () => resolve())),
    leave: () => asked.destroy(),
    hang: () => void response.pause(),
  }
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.on('data', (part: string) => {
    text += part
    if (stream.status !== 200) return
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) read(block)
    awaited.tell()
  })
  response.once('close', awaited.tell)
  if (stream.status !== 200) {
    await once(response, 'end')
    stream.events.push(JSON.parse(text) as LiveEvent)
  }
  return stream

  /** Reads a block by WHATWG HTML section 9.2.6: an id holds from its block on, also from one without data. */
  function read(block: string): void {
    let data = ''
    for (const line of block.split('\n')) {
      assert.match(line, /^(id: \S+|data: .*|retry: \d+|:.*|)$/)
      if (line.startsWith('id: ')) stream.lastId = line.slice(4)
      if (line.startsWith('data: ')) data += line.slice(6)
    }
    if (data === '') return
    const event = JSON.parse(data) as LiveEvent
    if (event.type === 'inbox') return void stream.counts.push(event)
    if (event.type === 'notices') return void stream.notices.push(event)
    stream.events.push(event)
    stream.ids.push(stream.lastId)
    told(event)
  }
}
