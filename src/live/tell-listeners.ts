import { isInScope } from '../transcripts/conversations/in-scope.ts'
import { type EncodedEvent, type Listener, views } from './listener.ts'
import type { Listeners } from './listeners.ts'
import type { Sees } from './places.ts'
import type { LiveEvent } from './read-events.ts'
import { eventText, type UnplacedEvent } from './unplaced.ts'

/** An event, with the place behind it as clients are told it. */
interface PlacedEvent {
  event: LiveEvent
  place: string
}

/** Tells the listeners of an agent and of a conversation of events, each in its own view and scope. */
export function tellEvents(listeners: Listeners, events: readonly PlacedEvent[], sees: Sees): void {
  for (const [agentId, ofAgent] of Map.groupBy(events, ({ event }) => event.row.agentId)) {
    const all = [...listeners.ofAgent(agentId)]
    const texts = ofAgent.flatMap((one) =>
      one.event.isForAgent && one.event.team !== null ? encode(one, one.event.team) : [],
    )
    sendTo(all, texts, sees)
    for (const { event } of ofAgent) noteLost(all, event, sees)
  }
  for (const [id, inConversation] of Map.groupBy(events, ({ event }) => event.conversationId)) {
    if (id === null) continue
    for (const view of views) {
      const all = listeners.ofConversation(id, view)
      const texts = inConversation.flatMap((one) => {
        const data = one.event[view]
        return all.length > 0 && data !== null ? encode(one, data) : []
      })
      sendTo(all, texts, sees)
    }
  }
}

/**
 * Tells listeners of an event that is not stored, and so has no place in the log.
 * @param isTold tells whether a listener is one of those to tell
 */
export function tellUnplaced(
  listeners: Listeners,
  { agentId, conversationId, ...seen }: UnplacedEvent,
  isTold: (listener: Listener) => boolean,
): void {
  const text = Buffer.from(eventText(seen.team))
  for (const listener of listeners.ofAgent(agentId)) if (isTold(listener)) listener.pass(text)
  if (conversationId === null) return
  for (const view of views) {
    const data = seen[view]
    if (data === null) continue
    const text = Buffer.from(eventText(data))
    for (const listener of listeners.ofConversation(conversationId, view))
      if (isTold(listener)) listener.pass(text)
  }
}

function encode({ event, place }: PlacedEvent, data: object): EncodedEvent {
  const { row, at, conversationId } = event
  return { row, at, conversationId, text: eventText(data, place) }
}

function sendTo(all: readonly Listener[], events: readonly EncodedEvent[], sees: Sees): void {
  if (all.length === 0 || events.length === 0) return
  const joined = joinedOf(events)
  for (const listener of all) {
    if (listener.scope === null) listener.send(events, joined)
    else {
      const seen = events.filter(({ conversationId }) => sees(listener, conversationId))
      if (seen.length > 0) listener.send(seen, joinedOf(seen))
    }
  }
}

function joinedOf(events: readonly EncodedEvent[]): Buffer {
  return Buffer.from(events.map(({ text }) => text).join(''))
}

/** Notes whose scope a conversation was taken from, when it was given to others. */
export function noteLost(all: readonly Listener[], { row, at, conversationId }: LiveEvent, sees: Sees): void {
  const change = row.changes[at]
  if (change?.type !== 'conversation' || !change.from) return
  for (const listener of all)
    if (isInScope(change.from, listener.scope) && !sees(listener, conversationId)) listener.hasLost = true
}
