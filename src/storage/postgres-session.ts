import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { within } from '../lib/within.ts'

/** What is done over the session; each call must be short. */
export interface SessionWork {
  /** Whenever the session is opened. */
  opened?(client: pg.Client): Promise<unknown>
  /** Every so often while it is open, which also finds out whether it still answers. */
  beat?(client: pg.Client): Promise<unknown>
  /** After an attempt to open it has failed, or it was lost, because the server cannot be reached. */
  unreachable?(): Promise<unknown>
  /** It was open, and no answer came any more. */
  silent?(): void
}

/** One connection of this process beside the pool's. */
export interface KeptSession {
  /** To be called before it is opened. */
  add(work: SessionWork): void
  open(): void
  close(): void
}

const BEAT_MS = 500
const ANSWER_WITHIN_MS = 2000
const REOPEN_AFTER_MS = 250

/** Keeps a session open from `open` to `close`: one that is lost or falls silent is replaced. */
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
    // A query that is under way is told when the connection breaks; the next beat finds out otherwise.
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

/** Whether the server itself said no: then it can be reached. */
function isFromServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}
