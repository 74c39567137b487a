import { timestamp } from '../lib/clock.ts'

/** An event that is sent but not stored: a participant writes or looks, or an answer has got further. */
export interface UnplacedEvent {
  agentId: number
  conversationId: string | null
  /** The team's view. */
  team: object
  /** The view of a web site's own server; null when it gets no event. */
  site: object | null
  /** The view of a visitor of a widget; null when it gets no event. */
  visitor: object | null
}

/** Creates the fields that every event has. */
export function unplaced(type: string, conversationId: string | null, nowMs: number) {
  return { type, conversation_id: conversationId, at: timestamp(nowMs) }
}

/** Creates the event after which clients read everything again. */
export function resetEvent(nowMs: number): Buffer {
  return Buffer.from(eventText(unplaced('reset', null, nowMs)))
}

/** @param place a client that breaks off after the event resumes here; absent when the event is not stored */
export function eventText(data: object, place?: string): string {
  const json = JSON.stringify(data)
  return place === undefined ? `data: ${json}\n\n` : `id: ${place}\ndata: ${json}\n\n`
}
