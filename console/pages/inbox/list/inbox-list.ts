import type { LiveEventAnswer } from '../../../../src/live/schemas.ts'
import type { Api } from '../../../api/client.ts'
import type { InboxCounts, InboxItem } from '../../../api/types.ts'
import { type InboxSearch, inboxQuery } from '../inbox-search.ts'
import { isInView, lastAt, type Reader, rowAfter } from './live-row.ts'

interface InboxAnswer {
  data: InboxItem[]
  next_cursor: string | null
  counts: InboxCounts
}

export interface InboxRows {
  /** Null: nothing has been read yet. */
  rows: readonly InboxItem[] | null
  /** Whether more may be read behind them. */
  hasMore: boolean
  isReadingMore: boolean
  /** Why the last reading failed; null: it did not. */
  error: unknown
}

export interface InboxList {
  current(): InboxRows
  subscribe(listener: () => void): () => void
  readMore(): Promise<void>
  /** Reads again what may have changed. @param isWhole nothing that was read before counts */
  refresh(isWhole?: boolean): Promise<void>
  hear(event: LiveEventAnswer): void
  change(id: string, values: Partial<InboxItem>): void
  /** The conversation that is open: it stays although it has been read. */
  openId: string | undefined
  /** Nobody sees a list that is not shown: it is read again when it is. */
  show(isShown: boolean): void
}

const PER_PAGE = 100
/** Views of many filters have short pages: so many are read for a first sight, and at most to come to what is known. */
const MOST_PAGES = 10
const FIRST_SIGHT = 20
/** What happens together is read together, and no more often than this. */
const GATHER_MS = 100
const REFRESH_EVERY_MS = 1_000

/**
 * The rows of a view, from the first on as far as they were read. A page is read only when somebody scrolls to it;
 * after that the live stream says what has changed, and only the newest rows are read again.
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
  /** Up to here everything was known when it was last read. */
  let newest = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStale = false
  let isShown = false
  let refreshedMs = 0
  /** Readings go one after the other, so that none overwrites what another has found. */
  let last: Promise<void> = Promise.resolve()

  const set = (values: Partial<InboxRows>) => {
    state = { ...state, ...values }
    for (const listener of listeners) listener()
  }
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => set({ error, isReadingMore: false }))
    return last
  }
  const page = (after: string | null) =>
    api.get<InboxAnswer>('/inbox', { ...query, cursor: after, per_page: PER_PAGE })

  async function readAnew(isWhole: boolean): Promise<void> {
    const known = state.rows ?? []
    const fresh: InboxItem[] = []
    let next: string | null = null
    let isJoined = false
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const answer: InboxAnswer = await page(next)
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
    const stays = isInView(row, view, reader.id)
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

/** A conversation that moved between two pages stands in both. */
function unique(rows: readonly InboxItem[]): InboxItem[] {
  const seen = new Set<string>()
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** Puts a row where the order of the newest first has it. */
function withRow(rows: readonly InboxItem[], row: InboxItem): InboxItem[] {
  const at = rows.findIndex((one) => lastAt(one) < lastAt(row))
  return at < 0 ? [...rows, row] : rows.toSpliced(at, 0, row)
}
