import type { Kysely } from 'kysely'
import { readLog } from '../events/change-log.ts'
import { isRead, type Place, placeAfter } from '../events/place.ts'
import type { FailureDescription } from '../lib/describe-failure.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { Listener, Subscription } from './listener.ts'
import { placesFor } from './places.ts'
import type { Audience } from './read-events.ts'
import { readableEvents } from './readable-events.ts'
import { noteLost } from './tell-listeners.ts'
import { eventText } from './unplaced.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'commitOrder' | 'isUnavailable' | 'isLocked'>
  /** Writes a place as text. */
  write(place: Place, nowMs: number): string
  logger: { warn(about: { error: FailureDescription; change?: number }, message: string): void }
}

const PAGE = 200

/** Sends a listener the events that it missed between two places of the log. @throws when they cannot be read */
export async function catchUp(
  { db, engine, logger, write }: Dependencies,
  listener: Listener,
  from: Place,
  until: Place,
): Promise<void> {
  const { subscription } = listener
  const { conversationId, view } = subscription
  for (let place = from, isCut = true; isCut && !listener.isClosed; ) {
    const page = await readLog(db, engine.commitOrder, place, PAGE, subscription)
    const missed = page.rows.filter((row) => isRead(until, row, row.changes.length - 1))
    const events = await readableEvents({ db, engine, logger }, missed, only(subscription))
    const ids = events.map(({ conversationId }) => conversationId)
    const sees = await placesFor(db, [listener], ids)
    for (const event of events) {
      const data = event[view]
      const isOwn = conversationId === null ? event.isForAgent : event.conversationId === conversationId
      noteLost([listener], event, sees)
      if (!sees(listener, event.conversationId)) continue
      if (!isOwn || data === null || isRead(from, event.row, event.at)) continue
      const reached = placeAfter(from, until.transactions, event.row, event.at + 1)
      await listener.feed(eventText(data, write(reached, Date.now())))
    }
    const last = page.rows.at(-1)
    isCut = page.isCut && last !== undefined && last.transaction < until.transactions.until
    if (last) place = placeAfter(place, page.seen, last, last.changes.length)
  }
}

/** Returns an audience of one listener. */
function only({ agentId, conversationId, view }: Subscription): Audience {
  return {
    hasVisitors: (conversation) => view === 'visitor' && conversation === conversationId,
    listensTo: (agent, conversation) =>
      agent === agentId && (conversationId === null || conversation === conversationId),
    conversationsOf: (agent) => (agent === agentId && conversationId !== null ? [conversationId] : []),
  }
}
