import type { Kysely } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Tables } from '../storage/tables.ts'
import type { Listeners } from './listeners.ts'
import { placesFor } from './places.ts'
import { tellUnplaced } from './tell-listeners.ts'
import type { UnplacedEvent } from './unplaced.ts'

interface Dependencies {
  db: Kysely<Tables>
  listeners: Listeners
  logger: { warn(about: { error: FailureDescription }, message: string): void }
}

/**
 * Tells listeners of events that are not stored: first those who see all conversations, and the others once it was read
 * to whom the conversations are assigned.
 */
export function tellUnkept({ db, listeners, logger }: Dependencies) {
  let waiting: UnplacedEvent[] = []
  let telling: Promise<void> | null = null

  async function tellScoped(): Promise<void> {
    while (waiting.length > 0) {
      const events = waiting
      waiting = []
      try {
        const ids = events.map(({ conversationId }) => conversationId)
        const sees = await acrossAgents('listeners of all agents are told', () =>
          placesFor(db, listeners.all, ids),
        )
        for (const event of events)
          tellUnplaced(
            listeners,
            event,
            (listener) => listener.scope !== null && sees(listener, event.conversationId),
          )
      } catch (error) {
        logger.warn({ error: describeFailure(error) }, 'people with a scope could not be told')
      }
    }
    telling = null
  }

  return {
    publish(event: UnplacedEvent): void {
      tellUnplaced(listeners, event, ({ scope }) => scope === null)
      if (!listeners.hasScoped(event)) return
      waiting.push(event)
      telling ??= tellScoped()
    },
    /** Resolves when all events so far have been told. */
    async drained(): Promise<void> {
      await telling
    },
  }
}
