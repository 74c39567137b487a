import { ASSIGNED, ENDED, type InboxState, SNOOZED, UNASSIGNED } from './states.ts'
import type { InboxRow } from './tables.ts'

/**
 * The views of an inbox. `waiting`, `mine`, `unassigned` and `paused` are subsets of `open`, which has neither what is
 * snoozed nor what has ended.
 */
export const inboxViews = [
  'waiting',
  'mine',
  'unassigned',
  'open',
  'paused',
  'snoozed',
  'ended',
  'all',
] as const
export type InboxView = (typeof inboxViews)[number]

/** The columns that decide which views have a conversation. */
type Placed = Pick<InboxRow, 'state' | 'assignee_id' | 'waiting_since' | 'is_paused'>

interface View {
  /** The states of its conversations. */
  readonly states: readonly InboxState[]
  /** True if it has only what is assigned to the reader. */
  readonly isOfReader?: true
  /** A further condition, of a row and in SQL: there it is the predicate of an index. */
  readonly only?: { holds(row: Placed): boolean; sql: string }
}

const OPEN = [UNASSIGNED, ASSIGNED] as const
const WAITING = {
  holds: ({ waiting_since }: Placed) => waiting_since !== null,
  sql: 'waiting_since is not null',
}
const PAUSED = { holds: ({ is_paused }: Placed) => is_paused === 1, sql: 'is_paused = 1' }

export const views: Readonly<Record<InboxView, View>> = {
  waiting: { states: OPEN, only: WAITING },
  mine: { states: [ASSIGNED], isOfReader: true },
  unassigned: { states: [UNASSIGNED] },
  open: { states: OPEN },
  paused: { states: OPEN, only: PAUSED },
  snoozed: { states: [SNOOZED] },
  ended: { states: [ENDED] },
  all: { states: [...OPEN, ENDED, SNOOZED] },
}

/** Tells whether a conversation is in a view. @param readerId the operator who looks; null: a program */
export function isInView(row: Placed, view: InboxView, readerId: number | null): boolean {
  const { states, isOfReader, only } = views[view]
  return (
    states.includes(row.state) &&
    (!isOfReader || row.assignee_id === readerId) &&
    (only === undefined || only.holds(row))
  )
}
