import { type InboxSort, inboxSorts } from '../../../src/inbox/inbox-query.ts'
import { type InboxView, inboxViews } from '../../../src/inbox/inbox-views.ts'
import { type Outcome, outcomes } from '../../../src/transcripts/conversations/outcomes.ts'
import type { Priority } from '../../../src/transcripts/conversations/priority.ts'
import { readShownFigure } from '../../api/shown-figure.ts'
import type { BulkFilter } from '../../api/types.ts'
import { isPriority } from '../../ui/priorities.ts'

/** The part of the inbox that is shown, as in the page's address. All filters must match, in any view. */
export interface InboxSearch {
  view?: InboxView
  sort?: InboxSort
  unread?: boolean
  channel?: number
  assignee?: number
  group?: number
  /** A tag as `name:value`. */
  tag?: string
  language?: string
  priority?: Priority
  outcome?: Outcome
  user?: string
  /** A figure of the support page, as the service names it: the conversations that it counts. */
  in?: string
  /** Words to find in messages. */
  q?: string
}

const filters = [
  'unread',
  'channel',
  'assignee',
  'group',
  'tag',
  'language',
  'priority',
  'outcome',
  'user',
  'in',
  'q',
] as const
type Filter = (typeof filters)[number]

/** Reads the part of an address that says what the inbox shows. Invalid values are left out. */
export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  const { view, sort, unread, priority, outcome } = search
  return {
    ...(inboxViews.includes(view as InboxView) ? { view: view as InboxView } : {}),
    ...(inboxSorts.includes(sort as InboxSort) ? { sort: sort as InboxSort } : {}),
    ...(typeof unread === 'boolean' ? { unread } : {}),
    ...number('channel', search),
    ...number('assignee', search),
    ...number('group', search),
    ...text('tag', search),
    ...text('language', search),
    ...(isPriority(priority) ? { priority } : {}),
    ...(outcomes.includes(outcome as Outcome) ? { outcome: outcome as Outcome } : {}),
    ...text('user', search),
    ...(readShownFigure(String(search.in)) ? { in: String(search.in) } : {}),
    ...text('q', search),
  }
}

/** Returns the filters that are set. */
export function filtersOf(search: InboxSearch): Filter[] {
  return filters.filter((name) => search[name] !== undefined)
}

/** Returns the same search without any filter. */
export function withoutFilters({ view, sort }: InboxSearch): InboxSearch {
  return { ...(view ? { view } : {}), ...(sort ? { sort } : {}) }
}

/** Returns the query for GET /inbox. */
export function inboxQuery({ view = 'open', sort = 'latest', channel, user, ...others }: InboxSearch) {
  return { view, sort, ...others, channel_id: channel, user_id: user }
}

/** Returns the filter for POST /inbox/bulk that matches all conversations that are shown. */
export function bulkFilterOf({ view = 'open', channel, user, sort: _, ...others }: InboxSearch): BulkFilter {
  return {
    view,
    ...others,
    ...(channel === undefined ? {} : { channel_id: channel }),
    ...(user === undefined ? {} : { user_id: user }),
  }
}

function number<Name extends string>(name: Name, search: Record<string, unknown>) {
  const value = Number(search[name])
  return (Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}) as { [Key in Name]?: number }
}

/** Reads a text. The router turns one that looks like a number into a number. */
function text<Name extends string>(name: Name, search: Record<string, unknown>) {
  const value = search[name]
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return (isText ? { [name]: String(value) } : {}) as { [Key in Name]?: string }
}
