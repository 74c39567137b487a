import { timestamp } from '../lib/clock.ts'

/** Something that is told and kept nowhere: who writes, who looks, what an answer says so far. */
export interface Happening {
  agentId: number
  conversationId: string | null
  /** As a team sees it. */
  team: object
  /** As a web site's own server sees it; null: not at all. */
  site: object | null
  /** As a visitor of a widget sees it; null: not at all. */
  visitor: object | null
}

/** What every event has. */
export function unplaced(type: string, conversationId: string | null, nowMs: number) {
  return { type, conversation_id: conversationId, at: timestamp(nowMs) }
}

/** @param place where a client that breaks off behind it resumes; absent: the event is kept nowhere */
export function eventText(data: object, place?: string): string {
  const json = JSON.stringify(data)
  return place === undefined ? `data: ${json}\n\n` : `id: ${place}\ndata: ${json}\n\n`
}
