import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { WakeUps } from '../storage/wake-ups.ts'
import type { Listeners } from './listeners.ts'

const TOPIC = 'live listeners'
const SAY_EVERY_MS = 3000
const HOLDS_MS = 10_000
/** So many agents fit into one message. */
const PART = 200

const countsSchema = z.object({ from: z.string(), agents: z.array(z.tuple([z.int(), z.int()])) })

/** How many streams of an agent the other processes have. */
export interface Elsewhere {
  count(agentId: number): number
  /** Says how many streams of an agent there are here, when that is new. */
  changed(agentId: number): void
  start(): void
  close(): void
}

/** Keeps the other processes told how many listen here, and knows how many listen there. */
export function watchElsewhere(wakeUps: Pick<WakeUps, 'say' | 'hear'>, listeners: Listeners): Elsewhere {
  const self = randomUUID()
  /** By agent and process. */
  const known = new Map<number, Map<string, { count: number; until: number }>>()
  let unhear = () => {}
  let saying: NodeJS.Timeout | undefined

  function say(agents: readonly (readonly [number, number])[]): void {
    for (let from = 0; from < agents.length; from += PART)
      wakeUps.say(TOPIC, JSON.stringify({ from: self, agents: agents.slice(from, from + PART) }))
  }

  function hear({ from, agents }: z.output<typeof countsSchema>): void {
    const until = performance.now() + HOLDS_MS
    for (const [agentId, count] of agents) {
      const processes = known.get(agentId) ?? new Map()
      known.set(agentId, processes.set(from, { count, until }))
    }
  }

  function sayAll(): void {
    say([...listeners.counts])
    const now = performance.now()
    for (const [agentId, processes] of known) {
      for (const [id, { until }] of processes) if (until <= now) processes.delete(id)
      if (processes.size === 0) known.delete(agentId)
    }
  }

  return {
    count(agentId) {
      let total = 0
      const now = performance.now()
      for (const { count, until } of known.get(agentId)?.values() ?? []) if (until > now) total += count
      return total
    },
    changed(agentId) {
      const count = listeners.counts.get(agentId) ?? 0
      // The others must know at once that somebody listens; how many they hear soon.
      if (count <= 1) say([[agentId, count]])
    },
    start() {
      unhear = wakeUps.hear(TOPIC, countsSchema, hear)
      saying = setInterval(sayAll, SAY_EVERY_MS)
      saying.unref()
    },
    close() {
      unhear()
      clearInterval(saying)
    },
  }
}
