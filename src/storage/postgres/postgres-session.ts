import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { within } from '../../lib/pacing/within.ts'

/** Work that shares the session; each call must be short. */
interface SessionWork {
  /** Runs each time the session has been opened. */
  opened?(client: pg.Client): Promise<unknown>
  /** Runs at intervals while the session is open, which also tests that it still answers. */
  beat?(client: pg.Client): Promise<unknown>
  /** Runs when the session could not be opened, or was lost, because the server cannot be reached. */
  unreachable?(): Promise<unknown>
  /** Runs when the session was open and stopped answering. */
  silent?(): void
}

/** A connection of this process outside the pool. */
export interface KeptSession {
  /** Adds work. Must be called before `open`. */
  add(work: SessionWork): void
  open(): void
  close(): void
}

const BEAT_MS = 500
const ANSWER_WITHIN_MS = 2000
const REOPEN_AFTER_MS = 250

/** Keeps a session open from `open` to `close`. A session that is lost or stops answering is replaced. */
export function keepSession(options: pg.ClientConfig): KeptSession {
  const works: SessionWork[] = []
  let isOn = false
  const closed = new AbortController()

  async function keepOpen(): Promise<void> {
    while (isOn) {
      const client = new pg.Client({ ...options, application_name: 'parley session' })
      const destroy = () => client.connection.stream.destroy()
      closed.signal.addEventListener('abort', destroy)
      let isOpen = false
      try {
        await attend(client, () => {
          isOpen = true
        })
      } catch (error) {
        if (!isFromServer(error)) {
          if (isOpen) for (const work of works) work.silent?.()
          for (const work of works) await work.unreachable?.()
        }
      } finally {
        closed.signal.removeEventListener('abort', destroy)
        destroy()
      }
      if (isOn) await wait(REOPEN_AFTER_MS, undefined, { ref: false })
    }
  }

  async function attend(client: pg.Client, opened: () => void): Promise<void> {
    const answered = (answer: Promise<unknown>) => within(ANSWER_WITHIN_MS, 'the database', answer)
    // A broken connection rejects the query that is running; without one, the next beat notices.
    client.on('error', () => {})
    await client.connect()
    for (const work of works) if (work.opened) await answered(work.opened(client))
    opened()
    while (isOn) {
      for (const work of works) if (work.beat) await answered(work.beat(client))
      await wait(BEAT_MS, undefined, { ref: false })
    }
  }

  return {
    add: (work) => void works.push(work),
    open() {
      if (isOn || closed.signal.aborted) return
      isOn = true
      void keepOpen()
    },
    close() {
      isOn = false
      closed.abort()
    },
  }
}

/** True if the error came from the server, which can therefore be reached. */
function isFromServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}
