import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import { useAgent } from '../../../api/session.ts'
import type { Message, TimelineAnswer, TimelineLine } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { join, type Stretch, trim } from './timeline.ts'

/** The place that a reader wants to see: the end, the beginning, a message, a time, or a note of that time. */
export type Spot = 'end' | 'start' | { message: number } | { from: string; note?: number }

const PAGE = 50
/** The most pages that are read after a long absence; if more has come, only the newest lines are read. */
const MOST_PAGES = 6
/** The number of known lines that are read again, since transactions committed late may add lines before the last. */
const LATE_LINES = 10

export interface Timeline {
  stretch: Stretch | undefined
  error: unknown
  refetch: () => void
  /** The spot where the stretch was begun; `jumps` counts the jumps. */
  spot: { at: Spot; jumps: number }
  /** @param onJumped called when the spot is shown, unless the reader has jumped elsewhere or left meanwhile */
  jump: (spot: Spot, onJumped?: () => void) => void
  readOlder: () => void
  readNewer: () => void
}

/**
 * The lines of a conversation, page by page around the reader. Of new lines, only those are read, so that a message
 * costs the same in a conversation of any length.
 */
export function useTimeline(conversationId: string): Timeline {
  const { api, key } = useAgent()
  const queries = useQueryClient()
  const queryKey = key('conversation', conversationId, 'timeline')
  const [spot, setSpot] = useState<{ at: Spot; jumps: number }>({ at: 'end', jumps: 0 })
  const wanted = useRef(spot.at)
  const isReading = useRef(false)
  /** The messages that the stream reported while pages were read, which may have left the service before that. */
  const meanwhile = useRef<{ readings: number; told: Message[] }>({ readings: 0, told: [] })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation stays the same
  const read = useCallback(
    (query: Record<string, string | number | undefined>, signal?: AbortSignal) =>
      api.get(`/conversations/${conversationId}/timeline`, { per_page: PAGE, ...query }, signal),
    [conversationId],
  )

  const timeline = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const present = () => queries.getQueryData<Stretch>(queryKey)
      const before = present()
      if (before?.hasNewer) return before
      return withMeanwhile(async () => {
        const since = before && (await readSince(read, before, signal))
        const after = present()
        // The reader has jumped elsewhere.
        if (after?.hasNewer) return after
        if (after && since) return trim(join(after, since), 'newer')
        return begin(read, before ? 'end' : wanted.current, signal)
      })
    },
    staleTime: 0,
  })

  /** Reads a stretch, and applies the changes to its messages that were reported meanwhile. */
  async function withMeanwhile(reading: () => Promise<Stretch>): Promise<Stretch> {
    const { current } = meanwhile
    current.readings++
    try {
      const stretch = await reading()
      return { ...stretch, lines: current.told.reduce(withMessage, stretch.lines) }
    } finally {
      current.readings--
      if (current.readings === 0) current.told = []
    }
  }

  const change = (next: (stretch: Stretch) => Stretch) =>
    queries.setQueryData<Stretch>(queryKey, (present) => present && next(present))

  // biome-ignore lint/correctness/useExhaustiveDependencies: one listener for each conversation
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event.type === 'reset') void queries.resetQueries({ queryKey })
        if (event.type !== 'message_changed' || event.conversation_id !== conversationId) return
        const { current } = meanwhile
        if (current.readings > 0) current.told.push(event.message)
        change((stretch) => ({ ...stretch, lines: withMessage(stretch.lines, event.message) }))
      }),
    [conversationId],
  )

  async function readAside(side: 'older' | 'newer'): Promise<void> {
    const present = queries.getQueryData<Stretch>(queryKey)
    const line = side === 'older' ? present?.lines[0] : present?.lines.at(-1)
    if (!present || !line || isReading.current) return
    isReading.current = true
    try {
      const order = side === 'older' ? 'desc' : 'asc'
      const stretch = await withMeanwhile(async () => {
        const { data, next_cursor } = await read({ order, cursor: line.cursor })
        const has = side === 'older' ? { hasOlder: next_cursor !== null } : { hasNewer: next_cursor !== null }
        return { ...join(queries.getQueryData<Stretch>(queryKey) ?? present, data), ...has }
      })
      change(() => trim(stretch, side))
    } catch {
      // The lines are read when the reader comes near the edge again.
    } finally {
      isReading.current = false
    }
  }

  const jumping = useAction({
    run: (at: Spot) => withMeanwhile(() => begin(read, at)),
    onDone: (stretch, at) => {
      // A later jump has overtaken this one.
      if (at !== wanted.current) return
      queries.setQueryData(queryKey, stretch)
      setSpot(({ jumps }) => ({ at, jumps: jumps + 1 }))
    },
    onRefused: (_, at) => at !== wanted.current,
  })

  return {
    stretch: timeline.data,
    error: timeline.isError && !timeline.data ? timeline.error : null,
    refetch: () => void timeline.refetch(),
    spot,
    jump(at, onJumped) {
      wanted.current = at
      jumping.mutate(at, { onSuccess: () => onJumped?.() })
    },
    readOlder: () => void readAside('older'),
    readNewer: () => void readAside('newer'),
  }
}

type Read = (
  query: Record<string, string | number | undefined>,
  signal?: AbortSignal,
) => Promise<TimelineAnswer>

/** Reads the pages around a spot. */
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

/** Reads the lines that came since the end of a stretch; undefined if there are too many. */
async function readSince(
  read: Read,
  { lines }: Stretch,
  signal?: AbortSignal,
): Promise<TimelineLine[] | undefined> {
  let cursor = (lines.at(-LATE_LINES) ?? lines[0])?.cursor
  const since: TimelineLine[] = []
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { data, next_cursor } = await read({ order: 'asc', cursor }, signal)
    since.push(...data)
    if (next_cursor === null) return since
    cursor = next_cursor
  }
  return undefined
}

function withMessage(lines: readonly TimelineLine[], message: Message): readonly TimelineLine[] {
  return lines.map((line) =>
    line.type === 'message' && line.message.id === message.id ? { ...line, message } : line,
  )
}
