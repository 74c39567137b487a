import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { WakeUps } from '../storage/wake-ups.ts'
import type { AgentCounts, Listeners } from './listeners.ts'

const TOPIC = 'live listeners'
const SAY_EVERY_MS = 3000
const HOLDS_MS = 10_000
/** The number of agents in one message. */
const PART = 200

const countSchema = z.array(z.tuple([z.int(), z.int()]))
/** The streams of each agent; those of visitors only where there are any. */
const countsSchema = z.object({ from: z.string(), agents: countSchema, visitors: countSchema.default([]) })

/** The number of streams of an agent in the other processes. */
export interface Elsewhere {
  countsOf(agentId: number): AgentCounts
  /** Reports the number of streams of an agent in this process, when it has changed. */
  changed(agentId: number): void
  start(): void
  close(): void
}

/** Exchanges the numbers of streams with the other processes. */
export function watchElsewhere(wakeUps: Pick<WakeUps, 'say' | 'hear'>, listeners: Listeners): Elsewhere {
  const self = randomUUID()
  /** Counts by agent and process. */
  const known = new Map<number, Map<string, AgentCounts & { until: number }>>()
  let unhear = () => {}
  let saying: NodeJS.Timeout | undefined

  function say(agentIds: readonly number[]): void {
    for (let from = 0; from < agentIds.length; from += PART) {
      const counts = agentIds.slice(from, from + PART).map((id) => [id, listeners.countsOf(id)] as const)
      const agents = counts.map(([id, { all }]) => [id, all])
      const visitors = counts.flatMap(([id, { visitors }]) => (visitors > 0 ? [[id, visitors]] : []))
      wakeUps.say(TOPIC, JSON.stringify({ from: self, agents, visitors }))
    }
  }

  function hear({ from, agents, visitors }: z.output<typeof countsSchema>): void {
    const until = performance.now() + HOLDS_MS
    const ofVisitors = new Map(visitors)
    for (const [agentId, all] of agents) {
      const processes = known.get(agentId) ?? new Map()
      known.set(agentId, processes.set(from, { all, visitors: ofVisitors.get(agentId) ?? 0, until }))
    }
  }

  function sayAll(): void {
    say(listeners.agents)
    const now = performance.now()
    for (const [agentId, processes] of known) {
      for (const [id, { until }] of processes) if (until <= now) processes.delete(id)
      if (processes.size === 0) known.delete(agentId)
    }
  }

  return {
    countsOf(agentId) {
      const total = { all: 0, visitors: 0 }
      const now = performance.now()
      for (const { all, visitors, until } of known.get(agentId)?.values() ?? []) {
        if (until <= now) continue
        total.all += all
        total.visitors += visitors
      }
      return total
    },
    changed(agentId) {
      // The others must know at once that somebody listens; the number can follow later.
      if (listeners.countsOf(agentId).all <= 1) say([agentId])
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
