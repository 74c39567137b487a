import { type Listener, type Told, views } from './listener.ts'
import type { Listeners } from './listeners.ts'
import type { LiveEvent } from './read-events.ts'
import { eventText, type Happening } from './unplaced.ts'

/** An event, with the place behind it as clients are told it. */
interface PlacedEvent {
  event: LiveEvent
  place: string
}

/** Tells the listeners of an agent and of a conversation of events, each in its own view. */
export function tellEvents(listeners: Listeners, events: readonly PlacedEvent[]): void {
  for (const [agentId, ofAgent] of Map.groupBy(events, ({ event }) => event.row.agentId)) {
    const all = [...listeners.ofAgent(agentId)]
    const texts = ofAgent.flatMap((one) =>
      one.event.isForAgent && one.event.team !== null ? asTold(one, one.event.team) : [],
    )
    tellTo(all, texts)
  }
  for (const [id, inConversation] of Map.groupBy(events, ({ event }) => event.conversationId)) {
    if (id === null) continue
    for (const view of views) {
      const all = listeners.ofConversation(id, view)
      const texts = inConversation.flatMap((one) => {
        const data = one.event[view]
        return all.length > 0 && data !== null ? asTold(one, data) : []
      })
      tellTo(all, texts)
    }
  }
}

/** Tells listeners of what is kept nowhere: it has no place in the log. */
export function tellHappening(listeners: Listeners, { agentId, conversationId, ...seen }: Happening): void {
  const text = Buffer.from(eventText(seen.team))
  for (const listener of listeners.ofAgent(agentId)) listener.pass(text)
  if (conversationId === null) return
  for (const view of views) {
    const data = seen[view]
    if (data === null) continue
    const text = Buffer.from(eventText(data))
    for (const listener of listeners.ofConversation(conversationId, view)) listener.pass(text)
  }
}

function asTold({ event, place }: PlacedEvent, data: object): Told {
  return { row: event.row, at: event.at, text: eventText(data, place) }
}

function tellTo(all: readonly Listener[], told: readonly Told[]): void {
  if (all.length === 0 || told.length === 0) return
  const joined = Buffer.from(told.map(({ text }) => text).join(''))
  for (const listener of all) listener.tell(told, joined)
}
