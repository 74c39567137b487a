import { randomUUID } from 'node:crypto'
import type { KeptSession } from './postgres-session.ts'
import { localWakeUps, type WakeUps } from './wake-ups.ts'

const CHANNEL = 'parley_wake_up'
/**
 * Wake-ups within this time are sent together. They are never sent in the transaction that causes them, because NOTIFY
 * makes transactions commit one after the other.
 */
const GATHER_MS = 3

/** Wake-ups across the processes of a PostgreSQL database. The first listener of this process opens the session. */
export function postgresWakeUps(
  session: KeptSession,
  notify: (channel: string, payload: string) => Promise<unknown>,
): { wakeUps: WakeUps; close: () => void } {
  const self = randomUUID()
  const topics = new Set<string>()
  let gathering: NodeJS.Timeout | undefined

  const local = localWakeUps((topic) => {
    topics.add(topic)
    gathering ??= setTimeout(tell, GATHER_MS)
  })

  function tell(): void {
    gathering = undefined
    const told = [...topics].join(' ')
    topics.clear()
    // If this is lost, the other processes find the work when they next look by themselves.
    notify(CHANNEL, `${self} ${told}`).catch(() => {})
  }

  session.add({
    async opened(client) {
      client.on('notification', ({ payload = '' }) => {
        const [sender, ...arrived] = payload.split(' ')
        if (sender !== self) for (const topic of arrived) local.sendHere(topic)
      })
      await client.query(`listen ${CHANNEL}`)
    },
  })
  return {
    wakeUps: {
      send: local.send,
      sendHere: local.sendHere,
      listen(topic, heard) {
        session.open()
        return local.listen(topic, heard)
      },
    },
    close: () => clearTimeout(gathering),
  }
}
