// The writers and the reader of bench/upgrade.ts, in a thread of their own: SQLite builds an index in the thread that
// asks for it.
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { reachAllAgents } from '../../src/lib/agent-scope.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import { promptAsBefore } from '../../test/support/old-schema.ts'

/** A prompt or a read, with the milliseconds since 1970 at which it began and ended. */
export interface Waited {
  kind: 'prompt' | 'read'
  began: number
  ended: number
}

const CLIENTS = 3
/** The pause between two prompts, or two reads, of a client. */
const REST_MS = 20

reachAllAgents()

const { place, size } = workerData as { place: DatabasePlace; size: number }
const database = await openDatabase(place)
const waits: Waited[] = []
let isOver = false
const now = () => performance.timeOrigin + performance.now()

/** Notes how long something takes, all attempts together: SQLite refuses one whose turn does not come soon. */
async function note(kind: Waited['kind'], work: () => Promise<unknown>): Promise<void> {
  const began = now()
  for (let isDone = false; !isDone; ) {
    isDone = await work().then(
      () => true,
      async (error) => {
        if (!database.engine.isUnavailable(error) && !database.engine.isLocked(error)) throw error
        await wait(5)
        return false
      },
    )
  }
  waits.push({ kind, began, ended: now() })
  await wait(REST_MS)
}

const writers = Array.from({ length: CLIENTS }, async (_, client) => {
  for (let n = client; !isOver; n += CLIENTS)
    await note('prompt', () => promptAsBefore(database, n % 3 === 0 ? null : (n * 7919) % size))
})
const reader = async () => {
  for (let n = 0; !isOver; n++) {
    const id = `00000000-0000-7000-8000-${100_000_000_000 + ((n * 7919) % size)}`
    await note('read', () =>
      sql`select conversations.id, content from conversations join messages on conversation_id = conversations.id
        where conversations.id = ${id}`.execute(database.db),
    )
  }
}

parentPort?.once('message', () => {
  isOver = true
})
await Promise.all([...writers, reader()])
await database.close()
parentPort?.postMessage(waits)
