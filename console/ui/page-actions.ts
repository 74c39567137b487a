import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { useKeys } from './keys.ts'

/** An action that is available on the open page. */
interface PageAction {
  id: string
  /** The action's name, in the reader's language. */
  label: string
  /** The key that runs it, as `useKeys` names it. */
  key?: string
  run: () => void
}

const shown = new Map<string, { current: readonly PageAction[] }>()
const listeners = new Set<() => void>()
let version = 0

/**
 * Offers actions while a part of a page is mounted: by their keys, under `?`, and by name under Ctrl+K.
 * @param goesFirst as in `useKeys`
 */
export function useActions(actions: readonly PageAction[], goesFirst = false): void {
  const id = useId()
  const latest = useRef(actions)
  latest.current = actions
  const keys = Object.fromEntries(actions.flatMap(({ key, run }) => (key === undefined ? [] : [[key, run]])))
  useKeys(keys, goesFirst)
  const looks = JSON.stringify(actions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the names of the actions change
  useEffect(() => {
    shown.set(id, latest)
    notify()
    return () => {
      shown.delete(id)
      notify()
    }
  }, [id, looks])
}

/** Returns all actions of the open page. */
export function usePageActions(): readonly PageAction[] {
  useSyncExternalStore(subscribe, () => version)
  return [...shown.values()].flatMap(({ current }) => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  version++
  for (const listener of listeners) listener()
}
