import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The distance to the end within which new lines are scrolled into view; elsewhere the reader's place never moves. */
const NEAR_END_PX = 80
/** The distance to an edge at which more is read. */
const NEAR_EDGE_PX = 800

interface Place {
  cursor: string
  /** Pixels below the top of the window, because what is above the thread may grow, too. */
  top: number
}

interface ReadersPlace {
  scroll: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  onScroll: () => void
  toEnd: () => void
}

interface Reading {
  /** The lines that are drawn now; the place is restored after each change of them. */
  drawn: unknown
  /** Changes when the reader has jumped; then the place is `target`. */
  jumps: number
  target: 'end' | 'start' | 'target'
  /** True if the last line that is drawn is the conversation's last one. */
  isWhole: boolean
  onNearStart: () => void
  onNearEnd: () => void
}

/**
 * Begins at the end, follows it while the reader is there, and otherwise keeps the lines being read in place, whatever
 * comes before or after them.
 */
export function useReadersPlace(reading: Reading): ReadersPlace {
  const { drawn, jumps, target, isWhole, onNearStart, onNearEnd } = reading
  const scroll = useRef<HTMLDivElement>(null)
  const followsEnd = useRef(true)
  const place = useRef<Place | null>(null)
  const jumped = useRef(-1)
  const [isAtEnd, setAtEnd] = useState(true)

  const keep = () => {
    const { current } = scroll
    if (!current) return
    if (followsEnd.current) current.scrollTop = current.scrollHeight
    else if (place.current) {
      const line = current.querySelector(`[data-cursor="${CSS.escape(place.current.cursor)}"]`)
      if (line) current.scrollTop += line.getBoundingClientRect().top - place.current.top
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the drawn lines
  useLayoutEffect(() => {
    const { current } = scroll
    if (!current || drawn === undefined) return
    if (jumped.current !== jumps) {
      jumped.current = jumps
      followsEnd.current = target === 'end'
      if (target === 'start') current.scrollTop = 0
      if (target === 'target') current.querySelector('[data-target]')?.scrollIntoView({ block: 'start' })
      place.current = placeIn(current)
    }
    keep()
    look()
  }, [drawn, jumps])

  // Lines grow when they are opened, the composer while one writes, and the header with its messages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback reads the current state when it is called
  useEffect(() => {
    const { current } = scroll
    if (!current) return
    const observer = new ResizeObserver(keep)
    observer.observe(current)
    if (current.firstElementChild) observer.observe(current.firstElementChild)
    return () => observer.disconnect()
  }, [drawn === undefined])

  function look() {
    const { current } = scroll
    if (!current) return
    const below = current.scrollHeight - current.scrollTop - current.clientHeight
    followsEnd.current = isWhole && below < NEAR_END_PX
    setAtEnd(followsEnd.current)
    place.current = placeIn(current)
    if (current.scrollTop < NEAR_EDGE_PX) onNearStart()
    if (below < NEAR_EDGE_PX) onNearEnd()
  }
  return {
    scroll,
    isAtEnd,
    onScroll: look,
    toEnd() {
      followsEnd.current = true
      scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
    },
  }
}

/** Returns the first visible line and its position. */
function placeIn(scroller: HTMLElement): Place | null {
  const lines = [...scroller.querySelectorAll<HTMLElement>('[data-cursor]')]
  let [low, high] = [0, lines.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const line = lines[middle]
    if (line && topOf(line, scroller) + line.offsetHeight <= 0) low = middle + 1
    else high = middle
  }
  const line = lines[low]
  return line ? { cursor: line.dataset.cursor ?? '', top: line.getBoundingClientRect().top } : null
}

function topOf(line: Element, scroller: Element): number {
  return line.getBoundingClientRect().top - scroller.getBoundingClientRect().top
}
