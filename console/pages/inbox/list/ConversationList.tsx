import { Box, Button, Text, VisuallyHidden } from '@mantine/core'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, memo, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../../api/preferences.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import { withTexts } from '../../../texts/index.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { Waiting } from '../../../ui/Loaded.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useMinute } from '../../../ui/Time.tsx'
import { useInboxCounts } from '../../../ui/use-inbox-counts.ts'
import { bulkFilterOf, type InboxSearch, inboxSearch } from '../inbox-search.ts'
import { useInbox } from '../rows/use-inbox.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { ListHeader } from './ListHeader.tsx'
import { NoRows } from './NoRows.tsx'
import type { Asked } from './RowActions.tsx'
import { RowKeys } from './RowKeys.tsx'
import { SelectionActs } from './SelectionActs.tsx'
import { useListActions } from './use-list-actions.ts'
import { useOpenRow } from './use-open-row.ts'
import { useSelection } from './use-selection.ts'
import { useShownRows } from './use-shown-rows.ts'

const WriteFirst = lazyPart(
  withTexts(() => import('../write-first/WriteFirst.tsx')),
  'WriteFirst',
  'in a notice',
)

// Scrolling draws the list many times a second, so unchanged rows are not drawn again.
const Row = memo(ConversationRow)

const ROW_PX = 64
const COMPACT_ROW_PX = 48

/** The conversations of a view, below the choices of what is listed. */
export function ConversationList() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const navigate = useNavigate()
  const mayRespond = useRight('respond')
  const search = inboxSearch(useSearch({ strict: false }))
  // Read from the address, like the mark of the open row, so that keys act on the marked conversation while it loads.
  const openId = useLocation({ select: ({ pathname }) => /\/inbox\/([^/]+)\/?$/.exec(pathname)?.[1] })
  const counts = useInboxCounts()
  const [isWriting, setWriting] = useState(false)
  const write = mayRespond ? () => setWriting(true) : undefined
  const show = (next: InboxSearch) =>
    void navigate({ to: '/agents/$agentId/inbox', params: { agentId: String(id) }, search: next })
  return (
    <Box className="inbox-list" component="section" aria-label={t('inbox.conversations')}>
      {openId === undefined ? <VisuallyHidden component="h1">{t('pages.inbox')}</VisuallyHidden> : null}
      <ListHeader search={search} counts={counts} onChange={show} onWrite={write} />
      {/* Each view and filter has rows of its own. The header stays, because somebody may be typing in it. */}
      <ListedRows
        key={JSON.stringify(search)}
        search={search}
        openId={openId}
        onChange={show}
        onWrite={write}
      />
      {counts ? (
        <Text className="numbers" c="dimmed" size="xs" px="sm" py={4} role="status">
          {t('inbox.waitingNow', { count: counts.waiting })}
        </Text>
      ) : null}
      {isWriting ? (
        <Suspense>
          <WriteFirst onClose={() => setWriting(false)} />
        </Suspense>
      ) : null}
    </Box>
  )
}

interface ListedRowsProps {
  search: InboxSearch
  openId: string | undefined
  onChange: (search: InboxSearch) => void
  /** Begins to write to somebody; undefined for people who may not. */
  onWrite: (() => void) | undefined
}

/** The rows of one view and its filters, with their selection and place. Only the visible ones are drawn. */
function ListedRows({ search, openId, onChange, onWrite }: ListedRowsProps) {
  const { t } = useTranslation()
  const { id } = useAgent()
  const mayRespond = useRight('respond')
  const isCompact = usePreference('compact')
  const minute = useMinute()
  const inbox = useInbox(search, openId)
  const { list, hasMore, error } = inbox
  const rowPx = isCompact ? COMPACT_ROW_PX : ROW_PX
  const shown = useShownRows({ inbox, name: `${id} ${JSON.stringify(search)}`, openId, rowPx })
  const { rows, virtual, targetId } = shown

  const selection = useSelection(rows, bulkFilterOf(search))
  const toggle = useRef(selection.toggle)
  toggle.current = selection.toggle
  const select = useCallback((id: string, isRange: boolean) => toggle.current(id, isRange), [])
  // The id is kept because a dialog takes the focus from the row, and its action ends only after it has closed.
  const [asked, setAsked] = useState<{ what: Asked | null; id: string | null }>({ what: null, id: null })
  const ask = (what: Asked) => setAsked({ what, id: targetId })

  const opened = useOpenRow({ rows, openId, list, scrollTo: (index) => virtual.scrollToIndex(index) })
  const isAnyTarget = targetId !== null || !selection.isEmpty
  useListActions({
    search,
    onChange,
    onStep: rows.length > 0 ? opened.step : undefined,
    onWrite,
    onSelect: mayRespond && targetId !== null ? () => selection.toggle(targetId, false) : undefined,
    onAsk: mayRespond && isAnyTarget ? ask : undefined,
  })
  return (
    <>
      <NewRows count={shown.waiting} onShow={shown.showWaiting} />
      <div className="inbox-scroll" data-selecting={!selection.isEmpty || undefined} {...shown.scrolling}>
        {inbox.rows === null && error === null ? <Waiting /> : null}
        {error === null ? null : (
          <Box p="sm">
            <Failure error={error} onRetry={() => void list.refresh()} />
          </Box>
        )}
        {inbox.rows !== null && rows.length === 0 && !hasMore ? (
          <NoRows search={search} onChange={onChange} />
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
      {mayRespond ? (
        <SelectionActs
          search={search}
          selection={selection}
          hasMore={hasMore || selection.count < rows.length}
          asked={asked}
          onAsk={ask}
          onAsked={() => setAsked({ ...asked, what: null })}
        />
      ) : null}
      {mayRespond && targetId !== null && selection.isEmpty ? (
        <RowKeys key={targetId} conversationId={targetId} onEndAndNext={opened.stepAtEnd} />
      ) : null}
    </>
  )
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
