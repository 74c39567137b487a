import { inboxSorts } from '../../../src/inbox/inbox-query.ts'
import { inboxViews } from '../../../src/inbox/inbox-views.ts'
import { outcomes } from '../../../src/transcripts/conversations/outcomes.ts'
import { priorities } from '../../../src/transcripts/conversations/priority.ts'
import { readShownFigure } from '../../api/shown-figure.ts'
import type { BulkFilter } from '../../api/types.ts'

/** Reads each filter of a page's address; undefined for a value that it cannot have. */
const filters = {
  unread: (value) => (typeof value === 'boolean' ? value : undefined),
  channel: number,
  assignee: number,
  group: number,
  /** A tag as `name:value`. */
  tag: text,
  language: text,
  priority: oneOf(priorities),
  outcome: oneOf(outcomes),
  user: text,
  /** A figure of the support page, as the service names it: the conversations that it counts. */
  in: (value) => (readShownFigure(String(value)) ? String(value) : undefined),
  /** Words to find in messages. */
  q: text,
} satisfies Record<Filter, (value: unknown) => unknown>

/** The filters of the service, of which two have shorter names in addresses. */
type Filter = Exclude<keyof BulkFilter, 'view' | 'channel_id' | 'user_id'> | 'channel' | 'user'

const parts = { view: oneOf(inboxViews), sort: oneOf(inboxSorts), ...filters }

/** The part of the inbox that is shown, as in the page's address. All filters must match, in any view. */
export type InboxSearch = { [Part in keyof typeof parts]?: NonNullable<ReturnType<(typeof parts)[Part]>> }

/** Reads the part of an address that says what the inbox shows. Invalid values are left out. */
export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  const read = Object.entries(parts).map(([name, part]) => [name, part(search[name])] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}

/** Returns the filters that are set. */
export function filtersOf(search: InboxSearch): Filter[] {
  return (Object.keys(filters) as Filter[]).filter((name) => search[name] !== undefined)
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

function number(value: unknown): number | undefined {
  const read = Number(value)
  return Number.isSafeInteger(read) && read > 0 ? read : undefined
}

/** Reads a text. The router turns one that looks like a number into a number. */
function text(value: unknown): string | undefined {
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return isText ? String(value) : undefined
}

function oneOf<Value>(values: readonly Value[]) {
  return (value: unknown) => values.find((one) => one === value)
}
