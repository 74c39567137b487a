import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import { useAgent } from '../../../api/session.ts'
import type { Message, TimelineLine } from '../../../api/types.ts'
import { join, type Stretch, trim } from './timeline.ts'

interface TimelineAnswer {
  data: TimelineLine[]
  next_cursor: string | null
}

/** Where a reader wants to be: at the end, at the beginning, at a message, or at a time. */
export type Spot = 'end' | 'start' | { message: number } | { from: string }

const PAGE = 50
/** After a long absence the newest lines are read, rather than all that came. */
const MOST_PAGES = 6
/** Lines of transactions that were committed late may stand before the last one. */
const LATE_LINES = 10

export interface Timeline {
  stretch: Stretch | undefined
  error: unknown
  refetch: () => void
  /** Where the stretch was begun; counts up with every jump. */
  spot: { at: Spot; jumps: number }
  jump: (spot: Spot) => void
  readOlder: () => void
  readNewer: () => void
}

/**
 * The lines of a conversation, page by page from wherever the reader is. Of what is new only that is read, so that a
 * message costs the same in a conversation of any length.
 */
export function useTimeline(conversationId: string): Timeline {
  const { api, key } = useAgent()
  const queries = useQueryClient()
  const queryKey = key('conversation', conversationId, 'timeline')
  const [spot, setSpot] = useState<{ at: Spot; jumps: number }>({ at: 'end', jumps: 0 })
  const wanted = useRef(spot.at)
  const isReading = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: of one conversation as long as this is shown
  const read = useCallback(
    (query: Record<string, string | number | undefined>, signal?: AbortSignal) =>
      api.get<TimelineAnswer>(
        `/conversations/${conversationId}/timeline`,
        { per_page: PAGE, ...query },
        signal,
      ),
    [conversationId],
  )

  const timeline = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const present = queries.getQueryData<Stretch>(queryKey)
      if (!present) return begin(read, wanted.current, signal)
      return present.hasNewer ? present : readOn(read, present, signal)
    },
    staleTime: 0,
  })

  const change = (next: (stretch: Stretch) => Stretch) =>
    queries.setQueryData<Stretch>(queryKey, (present) => present && next(present))

  // biome-ignore lint/correctness/useExhaustiveDependencies: one listener for each conversation
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event.type === 'reset') void queries.resetQueries({ queryKey })
        if (event.type !== 'message_changed' || event.conversation_id !== conversationId) return
        change((stretch) => ({ ...stretch, lines: withMessage(stretch.lines, event.message) }))
      }),
    [conversationId],
  )

  async function readAside(side: 'older' | 'newer'): Promise<void> {
    const present = queries.getQueryData<Stretch>(queryKey)
    const line = side === 'older' ? present?.lines[0] : present?.lines.at(-1)
    if (!line || isReading.current) return
    isReading.current = true
    try {
      const order = side === 'older' ? 'desc' : 'asc'
      const { data, next_cursor } = await read({ order, cursor: line.cursor })
      const has = side === 'older' ? { hasOlder: next_cursor !== null } : { hasNewer: next_cursor !== null }
      change((stretch) => trim({ ...join(stretch, data), ...has }, side))
    } catch {
      // It is read when the reader comes near the edge again.
    } finally {
      isReading.current = false
    }
  }

  return {
    stretch: timeline.data,
    error: timeline.isError && !timeline.data ? timeline.error : null,
    refetch: () => void timeline.refetch(),
    spot,
    jump(at) {
      wanted.current = at
      void begin(read, at).then((stretch) => {
        queries.setQueryData(queryKey, stretch)
        setSpot(({ jumps }) => ({ at, jumps: jumps + 1 }))
      })
    },
    readOlder: () => void readAside('older'),
    readNewer: () => void readAside('newer'),
  }
}

type Read = (
  query: Record<string, string | number | undefined>,
  signal?: AbortSignal,
) => Promise<TimelineAnswer>

/** The pages around a spot. */
async function begin(read: Read, spot: Spot, signal?: AbortSignal): Promise<Stretch> {
  if (spot === 'end') {
    const { data, next_cursor } = await read({ order: 'desc' }, signal)
    return { lines: data.toReversed(), hasOlder: next_cursor !== null, hasNewer: false }
  }
  if (spot === 'start') {
    const { data, next_cursor } = await read({ order: 'asc' }, signal)
    return { lines: data, hasOlder: false, hasNewer: next_cursor !== null }
  }
  const on = await read(
    'from' in spot ? { order: 'asc', from: spot.from } : { order: 'asc', after: spot.message - 1 },
    signal,
  )
  const first = on.data[0]
  const back = await read(first ? { order: 'desc', cursor: first.cursor } : { order: 'desc' }, signal)
  return {
    lines: [...back.data.toReversed(), ...on.data],
    hasOlder: back.next_cursor !== null,
    hasNewer: on.next_cursor !== null,
  }
}

/** What has come since the end of a stretch. */
async function readOn(read: Read, present: Stretch, signal?: AbortSignal): Promise<Stretch> {
  let cursor = (present.lines.at(-LATE_LINES) ?? present.lines[0])?.cursor
  let stretch = present
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { data, next_cursor } = await read({ order: 'asc', cursor }, signal)
    stretch = join(stretch, data)
    if (next_cursor === null) return trim(stretch, 'newer')
    cursor = next_cursor
  }
  return begin(read, 'end', signal)
}

function withMessage(lines: readonly TimelineLine[], message: Message): TimelineLine[] {
  return lines.map((line) =>
    line.type === 'message' && line.message.id === message.id ? { ...line, message } : line,
  )
}
