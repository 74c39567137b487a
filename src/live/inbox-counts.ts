import type { Kysely } from 'kysely'
import { readInboxCounts } from '../inbox/inbox-counts.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Tables } from '../storage/tables.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'
import { eventText, resetEvent, unplaced } from './unplaced.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  logger: { warn(about: { error: FailureDescription }, message: string): void }
  listeners: Listeners
}

/** Counts that change in this time are sent once. */
const GATHER_MS = 500

/**
 * Sends the number of conversations in each view to the listeners of an agent, when it has changed. Listeners whose
 * scope may have lost a conversation are told to read everything again.
 */
export function inboxCounts({ db, clock, logger, listeners }: Dependencies) {
  const changed = new Set<number>()
  const sent = new WeakMap<Listener, string>()
  let gathering: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    gathering = undefined
    const agents = [...changed]
    changed.clear()
    try {
      for (const agentId of agents) await tellOf(agentId)
    } catch (error) {
      logger.warn({ error: describeFailure(error) }, 'the counts of the inbox could not be told')
    }
  }

  async function tellOf(agentId: number): Promise<void> {
    const all = [...listeners.ofAgent(agentId)]
    const people = Map.groupBy(all, ({ subscription, scope }) =>
      JSON.stringify([subscription.operatorId, scope]),
    )
    for (const theirs of people.values()) {
      const [{ subscription, scope }] = theirs as [Listener]
      const counts = await readInboxCounts(db, agentId, subscription.operatorId, scope)
      const text = JSON.stringify(counts)
      const event = Buffer.from(eventText({ ...unplaced('inbox', null, clock()), counts }))
      for (const listener of theirs) {
        if (sent.get(listener) === text) continue
        sent.set(listener, text)
        listener.pass(event)
        if (listener.mayHaveLost) listener.pass(resetEvent(clock()))
        listener.mayHaveLost = false
      }
    }
  }

  return {
    changed(agentId: number): void {
      changed.add(agentId)
      gathering ??= setTimeout(() => void send(), GATHER_MS)
    },
    close: () => clearTimeout(gathering),
  }
}
