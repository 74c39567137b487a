import type { BulkFilter } from '../../api/types.ts'
import { type Sort, type View, views } from './views.ts'

/** What of the inbox is shown, as its address says it. All filters must hold, in any view. */
export interface InboxSearch {
  view?: View
  sort?: Sort
  unread?: true
  channel?: number
  assignee?: number
  /** As `name:value`. */
  tag?: string
  language?: string
  user?: string
  /** Words that were said. */
  q?: string
}

const filters = ['unread', 'channel', 'assignee', 'tag', 'language', 'user', 'q'] as const
export type Filter = (typeof filters)[number]

/** The part of an address that says what the inbox shows. What makes no sense is left out. */
export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  const { view, sort, unread } = search
  return {
    ...(views.includes(view as View) ? { view: view as View } : {}),
    ...(sort === 'latest' || sort === 'waiting' ? { sort } : {}),
    ...(unread === true || unread === 'true' ? { unread: true } : {}),
    ...number('channel', search),
    ...number('assignee', search),
    ...text('tag', search),
    ...text('language', search),
    ...text('user', search),
    ...text('q', search),
  }
}

/** The filters that are set. */
export function filtersOf(search: InboxSearch): Filter[] {
  return filters.filter((name) => search[name] !== undefined)
}

/** The same without any filter. */
export function withoutFilters({ view, sort }: InboxSearch): InboxSearch {
  return { ...(view ? { view } : {}), ...(sort ? { sort } : {}) }
}

/** As GET /inbox takes it. */
export function inboxQuery({ view = 'open', sort = 'latest', channel, user, ...others }: InboxSearch) {
  return { view, sort, ...others, channel_id: channel, user_id: user }
}

/** As POST /inbox/bulk takes it: all conversations that are shown. */
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

/** The router reads what looks like a number as one. */
function text<Name extends string>(name: Name, search: Record<string, unknown>) {
  const value = search[name]
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return (isText ? { [name]: String(value) } : {}) as { [Key in Name]?: string }
}
