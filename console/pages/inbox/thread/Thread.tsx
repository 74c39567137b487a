import { Button, Center, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { memo, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxEntry, TimelineLine } from '../../../api/types.ts'
import { withDeskTexts } from '../../../texts/index.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { ArrowDownIcon } from '../../../ui/icons.tsx'
import { Waiting } from '../../../ui/Loaded.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { ThreadLines } from '../../viewer/thread-lines.ts'
import { HappeningLine } from './HappeningLine.tsx'
import { MessageLine } from './MessageLine.tsx'
import { NoteLine } from './NoteLine.tsx'
import { StreamedLine } from './StreamedLine.tsx'
import { lastMessageId } from './timeline.ts'
import { UnsentLines } from './UnsentLines.tsx'
import { useMarks } from './use-marks.ts'
import { useReadMark } from './use-read-mark.ts'
import { useReadersPlace } from './use-readers-place.ts'
import { useStreamed } from './use-streamed.ts'
import type { Timeline } from './use-timeline.ts'

const WaitingCard = lazyPart(
  withDeskTexts(() => import('./WaitingCard.tsx')),
  'WaitingCard',
)

interface ThreadProps {
  conversationId: string
  timeline: Timeline
  /** Null until it is read. */
  entry: InboxEntry | null
  /** The last message that was read before the conversation was opened; null if not known. */
  readUntil: number | null
}

const none: readonly TimelineLine[] = []

/** The messages, notes and changes of a conversation. */
export function Thread({ conversationId, timeline, entry, readUntil }: ThreadProps) {
  const { t } = useTranslation()
  const { stretch, spot, jump, error, refetch, readOlder, readNewer } = timeline
  const lines = stretch?.lines ?? none
  const streamed = useStreamed(conversationId, lines)
  const found = useJumpOfAddress(timeline)
  const isWhole = stretch?.hasNewer === false
  useReadMark(conversationId, isWhole && entry ? lastMessageId(lines) : null)
  const { scroll, isAtEnd, onScroll, toEnd } = useReadersPlace({
    drawn: stretch && lines,
    jumps: spot.jumps,
    target: typeof spot.at === 'string' ? spot.at : 'target',
    isWhole,
    onNearStart: () => stretch?.hasOlder && readOlder(),
    onNearEnd: () => stretch?.hasNewer && readNewer(),
  })
  const target = useMemo(() => targetOf(lines, spot.at), [lines, spot.at])
  useMarks(scroll, found !== null && found.jumps === spot.jumps ? found.words : null, lines)
  const firstUnread = useMemo(() => firstUnreadOf(lines, readUntil), [lines, readUntil])
  const lastWaiting = entry?.waiting_since
    ? lines.findLast(({ type }) => type === 'waiting')?.cursor
    : undefined
  return (
    <ThreadLines value={lines}>
      <div
        className="thread"
        ref={scroll}
        onScroll={onScroll}
        role="log"
        aria-label={t('inbox.thread')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the thread is scrolled by keyboard
        tabIndex={0}
      >
        <div>
          {stretch ? null : error ? <Failure error={error} onRetry={refetch} /> : <Waiting />}
          {lines.map((line, index) => (
            <div
              key={line.cursor}
              data-cursor={line.cursor}
              data-target={line.cursor === target ? '' : undefined}
              className="thread-line"
            >
              {isNewDay(line, lines[index - 1]) ? <DayLine at={line.at} /> : null}
              {line.cursor === firstUnread ? <UnreadLine /> : null}
              {line.cursor === lastWaiting && line.type === 'waiting' ? (
                <Suspense fallback={<Line line={line} conversationId={conversationId} />}>
                  <WaitingCard line={line} conversationId={conversationId} />
                </Suspense>
              ) : (
                <Line line={line} conversationId={conversationId} />
              )}
            </div>
          ))}
          {isWhole
            ? streamed.map((answer) => <StreamedLine key={answer.completionId} answer={answer} />)
            : null}
          {stretch?.hasNewer ? null : <UnsentLines conversationId={conversationId} />}
        </div>
      </div>
      {isAtEnd || !stretch ? null : (
        <Center className="to-end">
          <Button
            variant="default"
            leftSection={<ArrowDownIcon />}
            onClick={() => (isWhole ? toEnd() : jump('end'))}
          >
            {t('inbox.toEnd')}
          </Button>
        </Center>
      )}
    </ThreadLines>
  )
}

interface LineProps {
  line: TimelineLine
  conversationId: string
}

const Line = memo(function Line({ line, conversationId }: LineProps) {
  if (line.type === 'message') return <MessageLine line={line} conversationId={conversationId} />
  if (line.type === 'note') return <NoteLine line={line} />
  return <HappeningLine line={line} />
})

function DayLine({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full' }).format(new Date(at))
  return (
    <Text ta="center" c="dimmed" size="xs" my="sm" className="day-line">
      {day}
    </Text>
  )
}

function UnreadLine() {
  const { t } = useTranslation()
  return (
    <Text component="div" className="unread-line" size="xs" fw={500} my="sm">
      {t('inbox.unreadFrom')}
    </Text>
  )
}

/** Tells whether a line is the first of its day in the reader's time zone. */
function isNewDay(line: TimelineLine, before: TimelineLine | undefined): boolean {
  const dayOf = (at: string) => new Date(at).toDateString()
  return before === undefined || dayOf(before.at) !== dayOf(line.at)
}

function firstUnreadOf(lines: readonly TimelineLine[], readUntil: number | null): string | null {
  if (readUntil === null) return null
  const first = lines.find((line) => line.type === 'message' && line.message.id > readUntil)
  return first?.cursor ?? null
}

/** Returns the cursor of the line to which the reader has jumped. */
function targetOf(lines: readonly TimelineLine[], spot: Timeline['spot']['at']): string | null {
  if (typeof spot === 'string') return null
  const isIt = (line: TimelineLine) => {
    if ('message' in spot) return line.type === 'message' && line.message.id >= spot.message
    if (spot.note !== undefined) return line.type === 'note' && line.note.id === spot.note
    return Date.parse(line.at) >= Date.parse(spot.from)
  }
  return (lines.find(isIt) ?? lines.at(-1))?.cursor ?? null
}

/** A search hit that the reader jumped to: its line and the words found in it. */
interface Found {
  words: readonly string[]
  jumps: number
}

/** Jumps to the message or note that the address names, such as a search hit. It is opened once. */
function useJumpOfAddress({ jump, spot }: Timeline): Found | null {
  const navigate = useNavigate()
  const { message, note, at, found } = useSearch({ strict: false }) as Partial<Record<string, unknown>>
  const [opened, setOpened] = useState<Found | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each line that the address names
  useEffect(() => {
    const onJumped = () => {
      setOpened({
        words: String(found ?? '')
          .split(' ')
          .filter(Boolean),
        jumps: spot.jumps + 1,
      })
      const withoutPlace = ({ message: _, note: _n, at: _a, found: _f, ...rest }: Record<string, unknown>) =>
        rest
      void navigate({ to: '.', search: withoutPlace as never, replace: true })
    }
    if (typeof message === 'number') jump({ message }, onJumped)
    else if (typeof note === 'number' && typeof at === 'string') jump({ from: at, note }, onJumped)
  }, [message, note])
  return opened
}
