import { type InboxView, isInView } from '../../../../src/inbox/inbox-views.ts'
import { ASSIGNED, ENDED, type InboxState, SNOOZED, UNASSIGNED } from '../../../../src/inbox/states.ts'
import type { LiveEventAnswer } from '../../../../src/live/schemas.ts'
import type { InboxItem } from '../../../api/types.ts'

type Spoken = NonNullable<InboxItem['last_message']>['role']
const spoken: readonly Spoken[] = ['user', 'assistant', 'operator']
const PREVIEW_LENGTH = 200

export interface Reader {
  id: number
  /** The names that this person's messages are signed with. */
  names: readonly string[]
}

/** Returns a row as it is after an event in its conversation. */
export function rowAfter(
  row: InboxItem,
  event: LiveEventAnswer,
  reader: Reader,
  nameOf: (operatorId: number) => string,
): InboxItem {
  if (event.type === 'conversation') {
    const { assignee_id, user_id, user_source, ...changed } = event.conversation
    return {
      ...row,
      ...(changed as Partial<InboxItem>),
      ...(assignee_id === undefined
        ? {}
        : { assignee: assignee_id === null ? null : { id: assignee_id, name: nameOf(assignee_id) } }),
      ...(user_id && user_source
        ? { user: { id: user_id, source: user_source, name: row.user?.name ?? null } }
        : {}),
    }
  }
  if (event.type !== 'message' && event.type !== 'message_changed') return row
  const { id, role, content, created_at, author } = event.message
  const isKnown = row.last_message?.id === id
  if (!spoken.includes(role) || (event.type === 'message_changed' && !isKnown)) return row
  if (row.last_message && row.last_message.id > id) return row
  const isOwn = role === 'operator' && author !== null && reader.names.includes(author)
  return {
    ...row,
    last_message: { id, role, content: textOf(content).slice(0, PREVIEW_LENGTH), created_at },
    unread: event.type === 'message' ? !isOwn : row.unread,
  }
}

/** Tells whether a conversation belongs to a view. */
export function belongsTo(view: InboxView, row: InboxItem, readerId: number): boolean {
  const { assignee, waiting_since, agent_paused } = row
  const placed = { state: stateOf(row), assignee_id: assignee?.id ?? 0, waiting_since }
  return isInView({ ...placed, is_paused: agent_paused ? 1 : 0 }, view, readerId)
}

function stateOf({ ended_at, snoozed_until, assignee }: InboxItem): InboxState {
  if (ended_at !== null) return ENDED
  if (snoozed_until !== null) return SNOOZED
  return assignee === null ? UNASSIGNED : ASSIGNED
}

/** Returns the time of the last message, by which lists with the newest first are ordered. */
export function lastAt(row: InboxItem): string {
  return row.last_message?.created_at ?? row.started_at
}

function textOf(content: Extract<LiveEventAnswer, { type: 'message' }>['message']['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join(' ')
}
