import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { useInbox } from '../rows/use-inbox.ts'
import { rowElement, rowIdOf, useFocusedRow } from './use-focused-row.ts'
import { useSettled } from './use-settled.ts'

type Inbox = ReturnType<typeof useInbox>

/** The number of rows below those that are drawn at which the next ones are read. */
const READ_AHEAD = 30

/** The scroll positions at which lists were left, to come back to. */
const places = new Map<string, number>()

interface ShownRowsOptions {
  inbox: Inbox
  /** The name of the list, by which its place is found again. */
  name: string
  openId: string | undefined
  /** The height of a row in pixels. */
  rowPx: number
}

/** Keeps the place, the order and the focus of the rows in a list, and draws only those that are visible. */
export function useShownRows({ inbox, name, openId, rowPx }: ShownRowsOptions) {
  const hold = useHold()
  const [isScrolled, setScrolled] = useState(false)
  const { rows, waiting, settle } = useSettled(inbox.rows ?? [], hold.isHeld || isScrolled)
  const scroll = useRef<HTMLDivElement>(null)
  const { focusedId, setFocusedId, targetId } = useFocusedRow(scroll, openId)
  const focusedAt = rows.findIndex((row) => row.id === focusedId)
  const virtual = useVirtualRows({ rows, scroll, rowPx, focusedAt, offset: places.get(name) ?? 0 })
  useReadOn(inbox, (virtual.range?.endIndex ?? 0) >= rows.length - READ_AHEAD)
  const moveFocus = (step: 1 | -1) => {
    const next = rows[focusedAt + step]
    if (!next) return
    virtual.scrollToIndex(focusedAt + step)
    setFocusedId(next.id)
    requestAnimationFrame(() => rowElement(scroll.current, next.id)?.focus())
  }
  return {
    rows,
    virtual,
    /** The conversation that keys act on. */
    targetId,
    /** The number of rows that came while the order was held. */
    waiting,
    showWaiting() {
      settle()
      scroll.current?.scrollTo({ top: 0 })
    },
    /** The properties of the element in which the rows scroll. */
    scrolling: {
      ref: scroll,
      onScroll({ currentTarget }: UIEvent) {
        places.set(name, currentTarget.scrollTop)
        setScrolled(currentTarget.scrollTop > rowPx)
      },
      onPointerEnter: () => hold.point(true),
      onPointerLeave: () => hold.point(false),
      onFocus({ target }: FocusEvent) {
        hold.focus(true)
        setFocusedId(rowIdOf(target))
      },
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        if (currentTarget.contains(relatedTarget)) return
        hold.focus(false)
        setFocusedId(null)
      },
      onKeyDown(event: KeyboardEvent) {
        const step = stepOf(event)
        if (step === null) return
        event.preventDefault()
        moveFocus(step)
      },
    },
  }
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
function useReadOn({ list, hasMore, isReadingMore, error }: Inbox, isNearEnd: boolean) {
  useEffect(() => {
    if (hasMore && !isReadingMore && isNearEnd && error === null) void list.readMore()
  }, [list, hasMore, isReadingMore, isNearEnd, error])
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
