import type { LiveEventAnswer } from '../../src/live/schemas.ts'
import { agentApi, Refusal } from './client.ts'
import { noticeRefusal } from './queries.ts'
import { readAgain } from './read-again.ts'

interface LiveReader {
  /** Called with each event of the service, once in each tab. */
  onEvent(event: LiveEventAnswer): void
  /**
   * Called when the stream has opened; the events of who writes and looks follow.
   * @param isAnew true if this tab may show old data, since nothing tells what it has missed
   */
  onOpened(isAnew: boolean): void
  /** Called with true when the stream is open, and with false when it is not. */
  onState(isUp: boolean): void
}

type Message =
  | { kind: 'event'; event: LiveEventAnswer; id: string | null }
  | { kind: 'place'; id: string }
  | { kind: 'state'; isUp: boolean; id: string | null }
  | { kind: 'opened'; isAnew: boolean }
  /** A new tab asks for the state of the stream. */
  | { kind: 'hello' }
  /** A visible tab asks to open the stream at once, because timers of a hidden tab are slow. */
  | { kind: 'wake' }

/** The silence after which a connection counts as dead; the service sends something every 15 seconds. */
const SILENCE_MS = 40_000
/** The silence after which a wake-up cuts the connection: after the machine slept, nobody should wait longer. */
const SUSPICIOUS_SILENCE_MS = 20_000
const WAKE_EVERY_MS = 2_000

/**
 * Reads the live stream of an agent. The tabs of a browser share one stream: the tab that holds the lock reads it and
 * passes everything on; when that tab closes, another resumes at the same place.
 * @returns a function that ends it
 */
export function shareLiveStream(agentId: number, reader: LiveReader): () => void {
  const name = `parley-live-${agentId}`
  // Pages outside a secure context have no locks: there each tab reads a stream of its own.
  const { locks } = navigator as { locks?: LockManager }
  const channel = locks ? new BroadcastChannel(name) : null
  const ending = new AbortController()
  /** The newest place in the stream that this tab knows of. */
  let place: string | null = null
  let isUp = false
  let isLeading = false
  let wakeLeader = () => {}
  /** The current signs of who writes and looks, for tabs that open later. */
  const signs = new Map<string, LiveEventAnswer>()

  const say = (message: Message) => channel?.postMessage(message)
  const hear = (event: LiveEventAnswer) => {
    keepSign(signs, event)
    reader.onEvent(event)
  }
  const setUp = (next: boolean) => {
    isUp = next
    reader.onState(next)
  }

  const listen = ({ data }: MessageEvent<Message>) => {
    switch (data.kind) {
      case 'event':
        place = data.id ?? place
        return hear(data.event)
      case 'place':
        place = data.id
        return
      case 'state':
        // Whatever came before this tab listened is in the data that it has read.
        place ??= data.id
        return setUp(data.isUp)
      case 'opened':
        signs.clear()
        return reader.onOpened(data.isAnew)
      case 'hello':
        if (!isLeading) return
        say({ kind: 'state', isUp, id: place })
        for (const event of signs.values()) say({ kind: 'event', event, id: null })
        return
      case 'wake':
        if (isLeading) wakeLeader()
    }
  }

  function lead(): Promise<void> {
    isLeading = true
    const paused = (wake: () => void) => {
      wakeLeader = wake
      setUp(false)
      say({ kind: 'state', isUp, id: place })
    }
    return readAgain(read, paused, ending.signal)
  }

  /** Reads the stream until it ends. @returns false if it could not be opened or broke off */
  async function read(): Promise<boolean> {
    const connection = watchConnection(ending.signal)
    wakeLeader = connection.cutIfSilent
    try {
      const response = await agentApi(agentId).open('GET', '/live', {
        query: { after: place },
        signal: connection.signal,
      })
      const isAnew = place === null
      connection.heard()
      signs.clear()
      reader.onOpened(isAnew)
      say({ kind: 'opened', isAnew })
      setUp(true)
      say({ kind: 'state', isUp, id: place })
      for await (const { id, data } of eventsOf(response)) {
        connection.heard()
        place = id ?? place
        if (data === null && id !== null) say({ kind: 'place', id })
        if (data === null) continue
        const event = JSON.parse(data) as LiveEventAnswer
        say({ kind: 'event', event, id })
        hear(event)
      }
      return true
    } catch (error) {
      noticeRefusal(error)
      // The service does not know the place.
      if (error instanceof Refusal && error.status === 400) place = null
      return false
    } finally {
      connection.end()
    }
  }

  const wake = () => {
    if (document.visibilityState === 'hidden') return
    if (isLeading) wakeLeader()
    else say({ kind: 'wake' })
  }
  const nudging = setInterval(() => {
    if (!isUp) wake()
  }, WAKE_EVERY_MS)
  const { signal } = ending
  addEventListener('online', wake, { signal })
  document.addEventListener('visibilitychange', wake, { signal })
  channel?.addEventListener('message', listen)
  say({ kind: 'hello' })
  if (locks) void locks.request(name, { signal }, lead).catch(() => {})
  else void lead()

  return () => {
    ending.abort()
    clearInterval(nudging)
    channel?.close()
  }
}

/** Watches a connection, and cuts it when the stream ends, the network is lost or nothing has been heard for too long. */
function watchConnection(ending: AbortSignal) {
  const connection = new AbortController()
  const cut = () => connection.abort()
  const { signal } = connection
  ending.addEventListener('abort', cut, { signal })
  // The system notices a lost network before the connection does.
  addEventListener('offline', cut, { signal })
  let heardMs = Date.now()
  const cutAfter = (silenceMs: number) => {
    if (Date.now() - heardMs > silenceMs) cut()
  }
  const watching = setInterval(() => cutAfter(SILENCE_MS), SUSPICIOUS_SILENCE_MS / 2)
  return {
    signal,
    cutIfSilent: () => cutAfter(SUSPICIOUS_SILENCE_MS),
    heard() {
      heardMs = Date.now()
    },
    end() {
      clearInterval(watching)
      cut()
    },
  }
}

interface Piece {
  id: string | null
  data: string | null
}

/** Yields the events of a response as they come. The service writes each on a line, and ids without data as well. */
async function* eventsOf(response: Response): AsyncGenerator<Piece> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let rest = ''
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const fieldOf = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null
      yield { id: fieldOf('id'), data: fieldOf('data') }
    }
  }
}

function keepSign(signs: Map<string, LiveEventAnswer>, event: LiveEventAnswer): void {
  if (event.type !== 'typing' && event.type !== 'presence') return
  const { type, conversation_id, by } = event
  const key = `${type} ${conversation_id} ${by.kind} ${by.id} ${by.name}`
  if (event.type === 'typing' ? event.typing : event.present) signs.set(key, event)
  else signs.delete(key)
}
