import { useSyncExternalStore } from 'react'

/** How a person wants the console to be, kept in this browser. */
const defaults = {
  /** Single keys do things. */
  keys: true,
  /** Rows of lists take a quarter less. */
  compact: false,
  /** After a conversation is ended the next one opens. */
  next: true,
  /** A sound tells of what waits. */
  sound: false,
  /** So does the system. */
  notices: false,
  /** Beside a conversation stands what is known about it. */
  detailsShown: true,
  /** Enter sends; otherwise Ctrl+Enter. */
  sendWithEnter: false,
}

export type Preference = keyof typeof defaults

const listeners = new Set<() => void>()

export function preference(name: Preference): boolean {
  return stored(name) ?? defaults[name]
}

export function setPreference(name: Preference, value: boolean): void {
  localStorage.setItem(keptAs(name), String(value))
  for (const listener of listeners) listener()
}

export function usePreference(name: Preference): boolean {
  return useSyncExternalStore(subscribe, () => preference(name))
}

function stored(name: Preference): boolean | null {
  const value = localStorage.getItem(keptAs(name))
  return value === null ? null : value === 'true'
}

function keptAs(name: Preference): string {
  return `parley-preference ${name}`
}

/** Other tabs change them too. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
