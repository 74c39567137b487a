import { useLayoutEffect, useRef } from 'react'
import { preference } from '../api/preferences.ts'

type Keys = Readonly<Record<string, () => void>>

const SEQUENCE_MS = 1000
/** The key bindings of all mounted parts of the page, the latest at the end. */
const listening = new Set<{ current: Keys; goesFirst: boolean }>()
let begun = ''
let begunMs = 0

/**
 * Calls the action of a key, or of a sequence of keys such as `g i`. Keys do nothing in a field, under an open dialog
 * or with a modifier, since browsers and other keyboards use those. A person can switch off letters and signs.
 * @param goesFirst true to win over parts that were mounted later, which otherwise win
 */
export function useKeys(keys: Keys, goesFirst = false): void {
  const { current: latest } = useRef({ current: keys, goesFirst })
  latest.current = keys
  // Bound together with what is drawn, so that a key pressed at once is neither lost nor acts on what is gone.
  useLayoutEffect(() => {
    listening.add(latest)
    if (listening.size === 1) addEventListener('keydown', listen)
    return () => {
      listening.delete(latest)
      if (listening.size === 0) removeEventListener('keydown', listen)
    }
  }, [latest])
}

function listen(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
  if (event.defaultPrevented || (event.key.length === 1 && !preference('keys'))) return
  const isSecond = begun !== '' && event.timeStamp - begunMs < SEQUENCE_MS
  const act = actOf(isSecond ? `${begun} ${event.key}` : event.key)
  // A key that is second in a sequence never begins another one.
  begun = !isSecond && beginsSequence(event.key) ? event.key : ''
  begunMs = event.timeStamp
  if (!act) return
  event.preventDefault()
  begun = ''
  act()
}

function actOf(keys: string): (() => void) | undefined {
  const binding = [...listening].filter(({ current }) => current[keys] !== undefined)
  return (binding.findLast(({ goesFirst }) => goesFirst) ?? binding.at(-1))?.current[keys]
}

function beginsSequence(key: string): boolean {
  return [...listening].some(({ current }) => Object.keys(current).some((keys) => keys.startsWith(`${key} `)))
}

function isTyping({ target, isComposing }: KeyboardEvent): boolean {
  const element = target instanceof HTMLElement ? target : null
  return (
    isComposing ||
    element?.isContentEditable === true ||
    element?.closest('input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="menu"]') !==
      null
  )
}
