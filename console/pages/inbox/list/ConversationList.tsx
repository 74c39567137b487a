import { Box, Button, Text, VisuallyHidden } from '@mantine/core'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../../api/preferences.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import { useInboxCounts } from '../../../shell/use-inbox-counts.ts'
import { withTexts } from '../../../texts/index.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { Waiting } from '../../../ui/Loaded.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useMinute } from '../../../ui/Time.tsx'
import { useBulk } from '../bulk/use-bulk.ts'
import { useMatching } from '../bulk/use-matching.ts'
import { bulkFilterOf, type InboxSearch, inboxSearch } from '../inbox-search.ts'
import { useInbox } from '../rows/use-inbox.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { ListHeader } from './ListHeader.tsx'
import { NoRows } from './NoRows.tsx'
import type { Asked } from './RowActions.tsx'
import { RowKeys } from './RowKeys.tsx'
import { rowElement, rowIdOf, useFocusedRow } from './use-focused-row.ts'
import { useListActions } from './use-list-actions.ts'
import { useOpenRow } from './use-open-row.ts'
import { useSelection } from './use-selection.ts'
import { useSettled } from './use-settled.ts'

const SelectionBar = lazyPart(
  withTexts(() => import('../../bulk/SelectionBar.tsx')),
  'SelectionBar',
)
const WriteFirst = lazyPart(
  withTexts(() => import('../write-first/WriteFirst.tsx')),
  'WriteFirst',
  'in a notice',
)
const RowActions = lazyPart(() => import('./RowActions.tsx'), 'RowActions', 'in a notice')

// Scrolling draws the list many times a second, so unchanged rows are not drawn again.
const Row = memo(ConversationRow)
const Header = memo(ListHeader)

const ROW_PX = 64
const COMPACT_ROW_PX = 48

/** The scroll positions at which lists were left, to come back to. */
const places = new Map<string, number>()

/** The conversations of a view. Only the visible rows are drawn, however many there are. */
export function ConversationList() {
  const { id } = useAgent()
  const search = inboxSearch(useSearch({ strict: false }))
  // Each view and filter has a list of its own, with its own selection, place and order.
  return <ListOf key={`${id} ${JSON.stringify(search)}`} search={search} />
}

function ListOf({ search }: { search: InboxSearch }) {
  const { t } = useTranslation()
  const { id } = useAgent()
  const navigate = useNavigate()
  const mayRespond = useRight('respond')
  const isCompact = usePreference('compact')
  // Read from the address, like the mark of the open row, so that keys act on the marked conversation while it loads.
  const openId = useLocation({ select: ({ pathname }) => /\/inbox\/([^/]+)\/?$/.exec(pathname)?.[1] })
  const counts = useInboxCounts()
  const minute = useMinute()
  const inbox = useInbox(search, openId)
  const hold = useHold()
  const [isScrolled, setScrolled] = useState(false)
  const { rows, waiting, settle } = useSettled(inbox.rows ?? [], hold.isHeld || isScrolled)
  const scroll = useRef<HTMLDivElement>(null)
  const { focusedId, setFocusedId, targetId } = useFocusedRow(scroll, openId)
  const place = `${id} ${JSON.stringify(search)}`
  const rowPx = isCompact ? COMPACT_ROW_PX : ROW_PX
  const focusedAt = rows.findIndex((row) => row.id === focusedId)
  const virtual = useVirtualRows({ rows, scroll, rowPx, focusedAt, offset: places.get(place) ?? 0 })
  const { list, hasMore, error } = inbox
  useReadOn(inbox, (virtual.range?.endIndex ?? 0) >= rows.length - 30)

  const selection = useSelection(rows, bulkFilterOf(search))
  const toggle = useRef(selection.toggle)
  toggle.current = selection.toggle
  const select = useCallback((id: string, isRange: boolean) => toggle.current(id, isRange), [])
  const bulk = useBulk(selection.clear)
  const { count, ended: endedCount } = selection
  const counted = useMatching(search, selection.isAll)
  const matching = selection.isAll ? counted : { open: count - endedCount, ended: endedCount }
  const [isWriting, setWriting] = useState(false)
  const write = useCallback(() => setWriting(true), [])
  // The id is kept because a dialog takes the focus from the row, and its action ends only after it has closed.
  const [asked, setAsked] = useState<{ what: Asked | null; id: string | null }>({ what: null, id: null })
  const ask = (what: Asked) => setAsked({ what, id: targetId })

  const opened = useOpenRow({ rows, openId, list, scrollTo: (index) => virtual.scrollToIndex(index) })
  const focus = (step: 1 | -1) => {
    const next = rows[focusedAt + step]
    if (!next) return
    virtual.scrollToIndex(focusedAt + step)
    setFocusedId(next.id)
    requestAnimationFrame(() => rowElement(scroll.current, next.id)?.focus())
  }
  const show = useCallback(
    (next: InboxSearch) =>
      void navigate({ to: '/agents/$agentId/inbox', params: { agentId: String(id) }, search: next }),
    [navigate, id],
  )
  const isAnyTarget = targetId !== null || !selection.isEmpty
  useListActions({
    search,
    onChange: show,
    onStep: rows.length > 0 ? opened.step : undefined,
    onWrite: mayRespond ? write : undefined,
    onSelect: mayRespond && targetId !== null ? () => selection.toggle(targetId, false) : undefined,
    onAsk: mayRespond && isAnyTarget ? ask : undefined,
  })
  return (
    <Box className="inbox-list" component="section" aria-label={t('inbox.conversations')}>
      {openId === undefined ? <VisuallyHidden component="h1">{t('pages.inbox')}</VisuallyHidden> : null}
      <Header search={search} counts={counts} onChange={show} onWrite={mayRespond ? write : undefined} />
      <NewRows
        count={waiting}
        onShow={() => {
          settle()
          scroll.current?.scrollTo({ top: 0 })
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hovering holds the order of rows; arrows move the focus of links */}
      <div
        className="inbox-scroll"
        ref={scroll}
        data-selecting={!selection.isEmpty || undefined}
        onScroll={({ currentTarget }) => {
          places.set(place, currentTarget.scrollTop)
          setScrolled(currentTarget.scrollTop > rowPx)
        }}
        onPointerEnter={() => hold.point(true)}
        onPointerLeave={() => hold.point(false)}
        onFocus={(event) => {
          hold.focus(true)
          setFocusedId(rowIdOf(event.target))
        }}
        onBlur={(event) => {
          if (event.currentTarget.contains(event.relatedTarget)) return
          hold.focus(false)
          setFocusedId(null)
        }}
        onKeyDown={(event) => {
          const step = stepOf(event)
          if (step === null) return
          event.preventDefault()
          focus(step)
        }}
      >
        {inbox.rows === null ? error === null ? <Waiting /> : null : null}
        {error === null ? null : (
          <Box p="sm">
            <Failure error={error} onRetry={() => void list.refresh()} />
          </Box>
        )}
        {inbox.rows !== null && rows.length === 0 && !hasMore ? (
          <NoRows search={search} onChange={show} />
        ) : null}
        {rows.length > 0 ? (
          <ul
            className="inbox-rows"
            style={{ height: virtual.getTotalSize() }}
            aria-label={t('inbox.conversations')}
          >
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              return row ? (
                <PlacedRow
                  key={row.id}
                  place={{ index, start, height: rowPx, of: hasMore ? -1 : rows.length }}
                  row={row}
                  isOpen={row.id === openId}
                  isSelected={selection.has(row.id)}
                  isCompact={isCompact}
                  onSelect={mayRespond ? select : undefined}
                  minute={minute}
                />
              ) : null
            })}
          </ul>
        ) : null}
      </div>
      {/* The bar is below the rows, so that none moves when the first one is selected. */}
      {selection.isEmpty ? null : (
        <Suspense>
          <SelectionBar
            matching={matching}
            isAll={selection.isAll}
            onAll={!selection.isAll && (count < rows.length || hasMore) ? selection.all : undefined}
            isBusy={bulk.isPending}
            onAssign={() => ask('assign')}
            onTag={() => ask('tag')}
            onPriority={() => ask('priority')}
            onSnooze={() => ask('snooze')}
            onMacro={() => ask('macro')}
            onEnd={() => bulk.mutate({ target: selection.part(false), action: { type: 'end' } })}
            onReopen={() => bulk.mutate({ target: selection.part(true), action: { type: 'reopen' } })}
            onClear={selection.clear}
          />
        </Suspense>
      )}
      {counts ? (
        <Text className="numbers" c="dimmed" size="xs" px="sm" py={4} role="status">
          {t('inbox.waitingNow', { count: counts.waiting })}
        </Text>
      ) : null}
      {mayRespond && targetId !== null && selection.isEmpty ? (
        <RowKeys key={targetId} conversationId={targetId} onEndAndNext={opened.stepAtEnd} />
      ) : null}
      {isWriting ? (
        <Suspense>
          <WriteFirst onClose={() => setWriting(false)} />
        </Suspense>
      ) : null}
      {mayRespond ? (
        <Suspense>
          <RowActions
            conversationId={asked.id}
            selection={selection.isEmpty ? null : selection.target}
            count={selection.isEmpty || !matching ? undefined : matching.open + matching.ended}
            bulk={bulk}
            asked={asked.what}
            onAsked={() => setAsked({ ...asked, what: null })}
          />
        </Suspense>
      ) : null}
    </Box>
  )
}

/** Places the rows that are to be drawn, of which there are few. */
function useVirtualRows({
  rows,
  scroll,
  rowPx,
  focusedAt,
  offset,
}: {
  rows: readonly { id: string }[]
  scroll: RefObject<HTMLDivElement | null>
  rowPx: number
  focusedAt: number
  offset: number
}) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 8,
    initialOffset: offset,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The focused row stays drawn, wherever the list is scrolled to.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return focusedAt < 0 || shown.includes(focusedAt) ? shown : [...shown, focusedAt].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of rows changes
  useLayoutEffect(() => virtual.measure(), [rowPx])
  return virtual
}

/** Reads the next rows when the end of those that are there comes near. */
function useReadOn({ list, hasMore, isReadingMore, error }: ReturnType<typeof useInbox>, isNearEnd: boolean) {
  useEffect(() => {
    if (hasMore && !isReadingMore && isNearEnd && error === null) void list.readMore()
  }, [list, hasMore, isReadingMore, isNearEnd, error])
}

/** The button that shows the rows that came while the list was held, if there are any. */
function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="inbox-new-place">
      {count > 0 ? (
        <Button className="inbox-new" size="compact-sm" onClick={onShow}>
          {t('inbox.newRows', { count })}
        </Button>
      ) : null}
    </div>
  )
}

interface PlacedRowProps extends ComponentProps<typeof ConversationRow> {
  /** `of`: the number of rows; -1 while it is not known. */
  place: { index: number; start: number; height: number; of: number }
}

function PlacedRow({ place: { index, start, height, of }, ...row }: PlacedRowProps) {
  return (
    <li
      className="inbox-item"
      style={{ transform: `translateY(${start}px)`, height }}
      aria-setsize={of}
      aria-posinset={index + 1}
    >
      <Row {...row} />
    </li>
  )
}

/** Returns the step that an arrow key takes through the rows; null: another key. */
function stepOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): 1 | -1 | null {
  if (ctrlKey || metaKey || altKey) return null
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null
}

/** Tells whether somebody points at the list or has the focus in it. */
function useHold() {
  const [isPointed, point] = useState(false)
  const [isFocused, focus] = useState(false)
  return { isHeld: isPointed || isFocused, point, focus }
}
