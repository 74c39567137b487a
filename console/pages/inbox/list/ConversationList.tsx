import { Box, Button, Text, VisuallyHidden } from '@mantine/core'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../../api/preferences.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import { useInboxCounts } from '../../../shell/use-inbox-counts.ts'
import { withTexts } from '../../../texts/index.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { Waiting } from '../../../ui/Loaded.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useMinute } from '../../../ui/Time.tsx'
import { useBulk } from '../bulk/use-bulk.tsx'
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
  // Read from the address, as the mark of the open row is: keys act on the marked conversation while its thread loads.
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
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 8,
    initialOffset: places.get(place) ?? 0,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The focused row stays drawn, wherever the list is scrolled to.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return focusedAt < 0 || shown.includes(focusedAt) ? shown : [...shown, focusedAt].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of rows changes
  useLayoutEffect(() => virtual.measure(), [rowPx])
  const shown = virtual.getVirtualItems()
  const lastShown = virtual.range?.endIndex ?? 0
  const { list, hasMore, isReadingMore, error } = inbox
  const isNearEnd = lastShown >= rows.length - 30
  useEffect(() => {
    if (hasMore && !isReadingMore && isNearEnd && error === null) void list.readMore()
  }, [list, hasMore, isReadingMore, isNearEnd, error])

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
  // The conversation is kept: a dialog takes the focus from the row, and what it began ends after it is closed.
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
      <div className="inbox-new-place">
        {waiting > 0 ? (
          <Button
            className="inbox-new"
            size="compact-sm"
            onClick={() => {
              settle()
              scroll.current?.scrollTo({ top: 0 })
            }}
          >
            {t('inbox.newRows', { count: waiting })}
          </Button>
        ) : null}
      </div>
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
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if ((step !== 1 && step !== -1) || event.ctrlKey || event.metaKey || event.altKey) return
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
            {shown.map(({ index, start }) => {
              const row = rows[index]
              return row ? (
                <li
                  key={row.id}
                  className="inbox-item"
                  style={{ transform: `translateY(${start}px)`, height: rowPx }}
                  aria-setsize={hasMore ? -1 : rows.length}
                  aria-posinset={index + 1}
                >
                  <Row
                    row={row}
                    isOpen={row.id === openId}
                    isSelected={selection.has(row.id)}
                    isCompact={isCompact}
                    onSelect={mayRespond ? select : undefined}
                    minute={minute}
                  />
                </li>
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

/** Tells whether somebody points at the list or has the focus in it. */
function useHold() {
  const [isPointed, point] = useState(false)
  const [isFocused, focus] = useState(false)
  return { isHeld: isPointed || isFocused, point, focus }
}
