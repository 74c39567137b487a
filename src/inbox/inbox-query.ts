import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import type { Priority } from '../transcripts/conversations/priority.ts'
import type { PersonKeys } from '../users/person-store.ts'
import type { InboxView } from './inbox-views.ts'

/**
 * `latest`: newest message first. `waiting`: longest wait first, then conversations that do not wait. `priority`: the most
 * urgent first, and among equals the newest message. `due`: what is due first, or was, then what has no time.
 */
export const inboxSorts = ['latest', 'waiting', 'priority', 'due'] as const

/** Filters of an inbox, all of which must match. */
export interface Filters {
  channel_id?: number | undefined
  /** An operator's id. */
  assignee?: number | undefined
  /** A group's id. */
  group?: number | undefined
  tag?: { name: string; value: string } | undefined
  language?: string | undefined
  priority?: Priority | undefined
  /** Only conversations that ended have one. */
  outcome?: Outcome | undefined
  /** The keys of a person. */
  user_id?: PersonKeys | undefined
  /** A figure of support, as `readFigure` reads it: only conversations that it counts. */
  in?: string | undefined
  unread?: boolean | undefined
  /** A search text: words of a conversation's messages, its id, or its user's id or name. */
  q?: string | undefined
}

export type FilterName = keyof Filters

/** A part of an inbox, and its order. */
export interface InboxQuery extends Filters {
  view: InboxView
  sort: (typeof inboxSorts)[number]
}
