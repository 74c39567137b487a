import type { LiveEventAnswer } from '../../../../src/live/schemas.ts'
import type { Api } from '../../../api/client.ts'
import type { InboxItem } from '../../../api/types.ts'
import { type InboxSearch, inboxQuery } from '../inbox-search.ts'
import { belongsTo, lastAt, type Reader, rowAfter } from './live-row.ts'

export interface InboxRows {
  /** Null until something has been read. */
  rows: readonly InboxItem[] | null
  /** True if there may be more rows to read. */
  hasMore: boolean
  isReadingMore: boolean
  /** The error of the last reading; null if it succeeded. */
  error: unknown
}

export interface InboxList {
  current(): InboxRows
  subscribe(listener: () => void): () => void
  readMore(): Promise<void>
  /** Reads rows again that may have changed. @param isWhole true if no row that was read before counts */
  refresh(isWhole?: boolean): Promise<void>
  hear(event: LiveEventAnswer): void
  change(id: string, values: Partial<InboxItem>): void
  /** The id of the open conversation, which stays listed although it has been read. */
  openId: string | undefined
  /** Notes whether the list is shown: a hidden one is read again only when it is shown. */
  show(isShown: boolean): void
}

const PER_PAGE = 100
/** The most pages of one reading, as many filters make pages short, and the rows to read for a first screen. */
const MOST_PAGES = 10
const FIRST_SIGHT = 20
/** The time to gather changes that are read together, and the shortest time between two readings. */
const GATHER_MS = 100
const REFRESH_EVERY_MS = 1_000

/**
 * The rows of a view, from the first one as far as they were read. A page is read only when somebody scrolls to it;
 * after that the live stream reports changes, and only the newest rows are read again.
 */
export function createInboxList(
  api: Api,
  search: InboxSearch,
  { reader, nameOf }: { reader: Reader; nameOf: (operatorId: number) => string },
): InboxList {
  const { view = 'open', sort = 'latest' } = search
  const query = inboxQuery(search)
  const listeners = new Set<() => void>()
  let state: InboxRows = { rows: null, hasMore: false, isReadingMore: false, error: null }
  let cursor: string | null = null
  /** The time of the newest row at the last reading; everything up to it was known then. */
  let newest = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStale = false
  let isShown = false
  let refreshedMs = 0
  /** The last reading. Readings run one after the other, so that none overwrites the result of another. */
  let last: Promise<void> = Promise.resolve()

  const set = (values: Partial<InboxRows>) => {
    state = { ...state, ...values }
    for (const listener of listeners) listener()
  }
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => set({ error, isReadingMore: false }))
    return last
  }
  const page = (after: string | null) => api.get('/inbox', { ...query, cursor: after, per_page: PER_PAGE })

  async function readAnew(isWhole: boolean): Promise<void> {
    const known = state.rows ?? []
    const fresh: InboxItem[] = []
    let next: string | null = null
    let isJoined = false
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const answer: Awaited<ReturnType<typeof page>> = await page(next)
      fresh.push(...answer.data)
      next = answer.next_cursor
      if (next === null) break
      const end = fresh.at(-1)
      isJoined = !isWhole && sort === 'latest' && end !== undefined && newest !== '' && lastAt(end) <= newest
      if (isJoined || fresh.length >= Math.max(known.length, FIRST_SIGHT)) break
    }
    const ids = new Set(fresh.map(({ id }) => id))
    const end = fresh.at(-1)
    const older = isJoined && end ? known.filter((row) => !ids.has(row.id) && lastAt(row) <= lastAt(end)) : []
    const open = search.unread ? known.find(({ id }) => id === list.openId && !ids.has(id)) : undefined
    const rows = unique([...fresh, ...older])
    if (older.length === 0) cursor = next
    newest = fresh[0] ? lastAt(fresh[0]) : ''
    set({ rows: open ? withRow(rows, open) : rows, hasMore: cursor !== null, error: null })
  }

  const list: InboxList = {
    openId: undefined,
    current: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readMore: () =>
      inTurn(async () => {
        if (cursor === null) return
        set({ isReadingMore: true })
        const answer = await page(cursor)
        cursor = answer.next_cursor
        const rows = unique([...(state.rows ?? []), ...answer.data])
        set({ rows, hasMore: cursor !== null, isReadingMore: false, error: null })
      }),
    refresh: (isWhole = false) => inTurn(() => readAnew(isWhole)),
    hear(event) {
      if (event.type === 'reset') return refreshSoon(true)
      if (event.type !== 'message' && event.type !== 'message_changed' && event.type !== 'conversation')
        return
      const row = state.rows?.find(({ id }) => id === event.conversation_id)
      if (row) replace(rowAfter(row, event, reader, nameOf))
      if (event.type !== 'message_changed') refreshSoon(false)
    },
    show(next) {
      isShown = next
      if (!isShown) return
      void list.refresh(isStale)
      isStale = false
    },
    change(id, values) {
      const row = state.rows?.find((one) => one.id === id)
      if (row) replace({ ...row, ...values })
    },
  }

  function replace(row: InboxItem): void {
    const rows = state.rows ?? []
    const stays = belongsTo(view, row, reader.id)
    set({ rows: rows.flatMap((one) => (one.id !== row.id ? one : stays ? row : [])) })
  }

  function refreshSoon(isWhole: boolean): void {
    isStale ||= isWhole
    if (timer !== undefined) return
    timer = setTimeout(
      () => {
        timer = undefined
        if (!isShown) return
        refreshedMs = Date.now()
        void list.refresh(isStale)
        isStale = false
      },
      Math.max(GATHER_MS, refreshedMs + REFRESH_EVERY_MS - Date.now()),
    )
  }

  return list
}

/** Drops repeated rows: a conversation that moved between two pages is in both. */
function unique(rows: readonly InboxItem[]): InboxItem[] {
  const seen = new Set<string>()
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** Inserts a row where it belongs with the newest first. */
function withRow(rows: readonly InboxItem[], row: InboxItem): InboxItem[] {
  const at = rows.findIndex((one) => lastAt(one) < lastAt(row))
  return at < 0 ? [...rows, row] : rows.toSpliced(at, 0, row)
}
