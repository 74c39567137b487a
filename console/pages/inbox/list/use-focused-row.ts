import { type RefObject, useEffect, useState } from 'react'

/** The row that has the focus, and the conversation that keys act on. @param scroll the element with the rows */
export function useFocusedRow(scroll: RefObject<HTMLElement | null>, openId: string | undefined) {
  const [focused, setFocused] = useState<{ id: string; openId: string | undefined } | null>(null)
  const focusedId = focused?.id ?? null
  const setFocusedId = (id: string | null) => setFocused(id === null ? null : { id, openId })
  // A conversation opened by a key takes the focus along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each conversation that is opened
  useEffect(() => {
    if (openId === undefined || focusedId === null || focusedId === openId) return
    const element = rowElement(scroll.current, openId)
    if (element) element.focus({ preventScroll: true })
    else setFocusedId(null)
  }, [openId])
  // The focus follows a conversation that is opened by a key, but only after it is drawn.
  const isFocusBehind = focused !== null && focused.openId !== openId
  return {
    focusedId,
    setFocusedId,
    /** The focused row, or else the open conversation. */
    targetId: (isFocusBehind ? (openId ?? focusedId) : (focusedId ?? openId)) ?? null,
  }
}

/** Returns the element of a row that can have the focus; null while it is not drawn. */
export function rowElement(within: HTMLElement | null, id: string): HTMLElement | null {
  return within?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null
}

/** Returns the id of the row that an element is in. */
export function rowIdOf(element: Element): string | null {
  return element.closest('li')?.querySelector('[data-row]')?.getAttribute('data-row') ?? null
}
