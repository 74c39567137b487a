import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { localWakeUps, type WakeUps } from './wake-ups.ts'

const CHANNEL = 'parley_wake_up'
/** Wake-ups of this long are told together, and never in the transaction of their cause: NOTIFY orders commits. */
const GATHER_MS = 3
const RECONNECT_MS = 1000

/**
 * Wake-ups across the processes of a PostgreSQL database. The connection that listens is opened when somebody in
 * this process listens, and again when it is lost.
 */
export function postgresWakeUps(
  url: string,
  pool: pg.Pool,
): { wakeUps: WakeUps; close: () => Promise<void> } {
  const self = randomUUID()
  const topics = new Set<string>()
  let gathering: NodeJS.Timeout | undefined
  let listener: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined
  let closed = false

  const local = localWakeUps((topic) => {
    topics.add(topic)
    gathering ??= setTimeout(tell, GATHER_MS)
  })

  function tell(): void {
    gathering = undefined
    const told = [...topics].join(' ')
    topics.clear()
    // Others look by themselves when this one does not reach them.
    pool.query('select pg_notify($1, $2)', [CHANNEL, `${self} ${told}`]).catch(() => {})
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    listener = client
    const lost = () => {
      if (listener !== client || closed) return
      listener = undefined
      reconnecting = setTimeout(() => void listen(), RECONNECT_MS)
      client.end().catch(() => {})
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload = '' }) => {
      const [sender, ...arrived] = payload.split(' ')
      if (sender !== self) for (const topic of arrived) local.sendHere(topic)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      lost()
    }
  }

  return {
    wakeUps: {
      send: local.send,
      sendHere: local.sendHere,
      listen(topic, heard) {
        if (!listener && !reconnecting) void listen()
        return local.listen(topic, heard)
      },
    },
    async close() {
      closed = true
      clearTimeout(gathering)
      clearTimeout(reconnecting)
      await listener?.end().catch(() => {})
    },
  }
}
