import type { Kysely } from 'kysely'
import { readInboxCounts } from '../inbox/inbox-counts.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Tables } from '../storage/tables.ts'
import { askSoon } from './ask-soon.ts'
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
 * Sends the number of conversations in each view to the listeners of an agent, when it has changed. Listeners from whose
 * scope a conversation was taken are told to read everything again.
 */
export function inboxCounts({ db, clock, logger, listeners }: Dependencies) {
  const changed = new Set<number>()
  const sent = new WeakMap<Listener, string>()
  const telling = askSoon(tellAll, GATHER_MS, (error) =>
    logger.warn({ error: describeFailure(error) }, 'the counts of the inbox could not be told'),
  )

  async function tellAll(): Promise<void> {
    for (const agentId of changed) {
      changed.delete(agentId)
      try {
        await tellOf(agentId)
      } catch (error) {
        changed.add(agentId)
        throw error
      }
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
        if (sent.get(listener) !== text) listener.pass(event)
        sent.set(listener, text)
        if (listener.hasLost) listener.pass(resetEvent(clock()))
        listener.hasLost = false
      }
    }
  }

  return {
    changed(agentId: number): void {
      changed.add(agentId)
      telling.ask()
    },
    close: telling.close,
  }
}
