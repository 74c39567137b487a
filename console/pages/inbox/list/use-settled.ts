import { useState } from 'react'

/**
 * Keeps the order of a list while it is held: while somebody points at it, has the focus in it, or has scrolled away
 * from its beginning. No row moves under them: new and moved rows take their places once the list is released, or when
 * the person asks. The content of rows is always the newest.
 */
export function useSettled<Item extends { id: string }>(
  items: readonly Item[],
  isHeld: boolean,
): { rows: readonly Item[]; waiting: number; settle: () => void } {
  const [order, setOrder] = useState<readonly string[]>([])
  const newest = items.map(({ id }) => id)
  const settle = () => setOrder(newest)
  if (!isHeld || order.length === 0) {
    if (!isSame(order, newest)) settle()
    return { rows: items, waiting: 0, settle }
  }
  const byId = new Map(items.map((item) => [item.id, item]))
  const kept = order.flatMap((id) => byId.get(id) ?? [])
  const known = new Set(order)
  // Pages that were read by scrolling follow the known rows.
  const lastKept = items.findLastIndex(({ id }) => known.has(id))
  const waiting = items.slice(0, lastKept + 1).filter(({ id }) => !known.has(id)).length
  return { rows: [...kept, ...items.slice(lastKept + 1)], waiting, settle }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
