import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parseOrNull } from '../../lib/parse-or-null.ts'
import { LONGEST_SAID, localWakeUps, RECONNECTED, type WakeUps } from '../wake-ups.ts'
import type { KeptSession } from './postgres-session.ts'

const CHANNEL = 'parley_wake_up'
const SAYINGS = 'parley_saying'
/**
 * Wake-ups within this time are sent together. They are never sent in the transaction that causes them, because NOTIFY
 * makes transactions commit one after the other.
 */
const GATHER_MS = 3

/** A topic, and a text for it as JSON. */
const saying = z.tuple([z.string(), z.string()])

/**
 * Creates wake-ups across the processes of a PostgreSQL database. The first listener of this process opens the session.
 */
export function postgresWakeUps(
  session: KeptSession,
  notify: (channel: string, payload: string) => Promise<unknown>,
): { wakeUps: WakeUps; close: () => void } {
  const self = randomUUID()
  const topics = new Set<string>()
  let gathering: NodeJS.Timeout | undefined
  /** The receivers of `say` by topic; each returns false for a text that it cannot read. */
  const hearers = new Map<string, Set<(text: string) => boolean>>()
  let refused = () => {}
  let said: string[] = []
  let speaking: NodeJS.Timeout | undefined

  const local = localWakeUps((topic) => {
    topics.add(topic)
    gathering ??= setTimeout(flush, GATHER_MS)
  })

  function flush(): void {
    gathering = undefined
    const lines = [...topics].join('\n')
    topics.clear()
    // If the notification is lost, the other processes find the work at their next regular look.
    notify(CHANNEL, `${self}\n${lines}`).catch(() => {})
  }

  /** Sends the collected texts in as few notifications as can hold them. */
  function speak(): void {
    speaking = undefined
    const lines = said
    said = []
    let piece = self
    for (const line of lines) {
      if (Buffer.byteLength(piece) + Buffer.byteLength(line) > LONGEST_SAID + 500) {
        notify(SAYINGS, piece).catch(() => {})
        piece = self
      }
      piece += `\n${line}`
    }
    notify(SAYINGS, piece).catch(() => {})
  }

  session.add({
    async opened(client) {
      client.on('notification', ({ channel, payload = '' }) => {
        const [sender, ...lines] = payload.split('\n')
        if (sender === self) return
        if (channel === CHANNEL) for (const topic of lines) local.sendHere(topic)
        // One text that cannot be read takes nothing from those beside it.
        else if (lines.map(isHeard).includes(false)) refused()
      })
      // In one query: a process that receives wake-ups receives texts as well.
      await client.query(`listen ${CHANNEL}; listen ${SAYINGS}`)
      local.sendHere(RECONNECTED)
    },
  })

  /** Delivers a text from another process; returns false when it cannot be read. */
  function isHeard(line: string): boolean {
    const { data } = saying.safeParse(parseOrNull(line))
    if (!data) return false
    const [topic, text] = data
    return !Array.from(hearers.get(topic) ?? [], (hear) => hear(text)).includes(false)
  }

  return {
    wakeUps: {
      send: local.send,
      sendHere: local.sendHere,
      listen(topic, heard) {
        session.open()
        return local.listen(topic, heard)
      },
      say(topic, text) {
        said.push(JSON.stringify([topic, text]))
        speaking ??= setTimeout(speak, GATHER_MS)
      },
      hear(topic, schema, listener) {
        session.open()
        const hear = (text: string) => {
          const { success, data } = schema.safeParse(parseOrNull(text))
          if (success) listener(data)
          return success
        }
        const ofTopic = hearers.get(topic) ?? new Set()
        hearers.set(topic, ofTopic.add(hear))
        return () => void ofTopic.delete(hear)
      },
      onRefused(listener) {
        refused = listener
      },
    },
    close() {
      clearTimeout(gathering)
      clearTimeout(speaking)
    },
  }
}
