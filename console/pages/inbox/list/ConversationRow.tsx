import { Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../../api/company.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import type { InboxItem } from '../../../api/types.ts'
import { isolated, joined } from '../../../texts/isolated.ts'
import { exactTime, relativeTime } from '../../../ui/Time.tsx'
import { useUserName } from '../../../ui/user-name.ts'
import { DueText } from '../due/DueText.tsx'
import { inboxSearch } from '../inbox-search.ts'

interface ConversationRowProps {
  row: InboxItem
  isOpen: boolean
  isSelected: boolean
  isCompact: boolean
  /**
   * Called to select the row; absent for people who may not act on a selection.
   * @param isRange true to select all rows from the one selected last
   */
  onSelect: ((id: string, isRange: boolean) => void) | undefined
  /** Changes whenever relative times do. */
  minute: number
}

const priorityColors = {
  urgent: 'var(--parley-red)',
  high: 'var(--parley-amber)',
  normal: 'dimmed',
  low: 'dimmed',
} as const

/** A row of the list: the user, the time, the last message, why and since when it waits, and who else is there. */
export function ConversationRow({ row, isOpen, isSelected, isCompact, onSelect }: ConversationRowProps) {
  const { t, i18n } = useTranslation()
  const { id } = useAgent()
  const { operator } = useWho()
  const company = useCompany(row.id, operator.id)
  const { last_message, waiting_since, waiting_reason, snoozed_until } = row
  const isUnread = row.unread === true && !isOpen
  const name = useUserName()(row.user)
  const [first] = company
  const there =
    first &&
    t(first.isWriting ? 'inbox.writes' : 'inbox.looks', { name: first.name ?? t('inbox.aColleague') })
  const about = [
    row.assignee?.name,
    row.channel && (row.channel.name ?? t(`platforms.${row.channel.kind}`)),
    ...Object.entries(row.tags ?? {}).map(([tag, value]) => `${isolated(tag)}: ${isolated(String(value))}`),
  ].filter(Boolean)
  const isUsual = row.priority === 'normal'
  const hasState = there !== undefined || waiting_reason !== null || snoozed_until !== null
  const meta = (
    <>
      {isUsual ? null : (
        <Text component="span" inherit fw={500} c={priorityColors[row.priority]}>
          {t(`inbox.priorities.${row.priority}`)}
        </Text>
      )}
      {!isUsual && (hasState || about.length > 0) ? ' · ' : ''}
      {there ? (
        <Text component="span" inherit c="var(--mantine-color-anchor)">
          {there}
        </Text>
      ) : snoozed_until ? (
        t('inbox.snoozedUntil', { time: exactTime(snoozed_until, i18n.language) })
      ) : waiting_reason && waiting_since ? (
        <>
          <Text component="span" inherit c="var(--parley-amber)">
            {t(`inbox.reasons.${waiting_reason}`)} · {relativeTime(waiting_since, i18n.language)}
          </Text>
          {row.due ? (
            <>
              {' · '}
              <DueText due={row.due} isShort />
            </>
          ) : null}
        </>
      ) : null}
      {hasState && about.length > 0 ? ' · ' : ''}
      {joined(about)}
    </>
  )
  const hasMeta = hasState || !isUsual
  return (
    <>
      <Link
        className="inbox-row"
        to="/agents/$agentId/inbox/$conversationId"
        params={{ agentId: String(id), conversationId: row.id }}
        search={inboxSearch}
        aria-current={isOpen ? 'page' : undefined}
        data-waiting={waiting_since && !snoozed_until ? '' : undefined}
        data-unread={isUnread || undefined}
        data-selected={isSelected || undefined}
        data-row={row.id}
        onClick={(event) => {
          if (!event.shiftKey || !onSelect) return
          event.preventDefault()
          onSelect(row.id, true)
        }}
      >
        <span className="inbox-row-line">
          <Text component="bdi" fw={isUnread ? 600 : 400} truncate flex={1} miw={0}>
            {name}
            {isUnread ? <VisuallyHidden component="span">, {t('inbox.unread')}</VisuallyHidden> : null}
          </Text>
          <Text component="span" c="dimmed" size="xs" className="numbers">
            {relativeTime(last_message?.created_at ?? row.started_at, i18n.language)}
          </Text>
        </span>
        {isCompact && hasMeta ? null : (
          <Text
            component="span"
            display="block"
            size="secondary"
            lh="16px"
            c={isUnread ? 'var(--mantine-color-text)' : 'dimmed'}
            truncate
            dir="auto"
          >
            {last_message?.content || '\u00a0'}
          </Text>
        )}
        {isCompact && !hasMeta ? null : (
          <Text component="span" display="block" size="xs" c="dimmed" truncate>
            {meta}
          </Text>
        )}
      </Link>
      {onSelect ? (
        <input
          type="checkbox"
          className="inbox-row-check"
          aria-label={t('inbox.select', { name })}
          checked={isSelected}
          // A click tells whether Shift was held; a change can also come from the keyboard.
          onChange={({ nativeEvent }) =>
            onSelect(row.id, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
          }
        />
      ) : null}
    </>
  )
}
