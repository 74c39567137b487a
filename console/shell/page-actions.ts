import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { useKeys } from './keys.ts'

/** Something that can be done on the page that is open. */
export interface PageAction {
  id: string
  /** What it does, in the reader's language. */
  label: string
  /** The key that does it, as `useKeys` names it. */
  key?: string
  run: () => void
}

const shown = new Map<string, { current: readonly PageAction[] }>()
const listeners = new Set<() => void>()
let version = 0

/** Offers actions while a part of a page is there: by their keys, under `?`, and by name under Ctrl+K. */
export function useActions(actions: readonly PageAction[]): void {
  const id = useId()
  const latest = useRef(actions)
  latest.current = actions
  useKeys(Object.fromEntries(actions.flatMap(({ key, run }) => (key === undefined ? [] : [[key, run]]))))
  const looks = JSON.stringify(actions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again when the names of the actions change
  useEffect(() => {
    shown.set(id, latest)
    tell()
    return () => {
      shown.delete(id)
      tell()
    }
  }, [id, looks])
}

/** All actions of the page that is open. */
export function usePageActions(): readonly PageAction[] {
  useSyncExternalStore(subscribe, () => version)
  return [...shown.values()].flatMap(({ current }) => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  version++
  for (const listener of listeners) listener()
}
