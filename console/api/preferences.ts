import { useSyncExternalStore } from 'react'
import { onKept, setKept } from './kept.ts'

/** A person's settings of the console, kept in this browser. */
const defaults = {
  /** True if single keys are shortcuts. */
  keys: true,
  /** True if rows of lists are a quarter lower. */
  compact: false,
  /** True if the next conversation opens after one is ended. */
  next: true,
  /** True if a sound announces new messages and waiting conversations. */
  sound: false,
  /** True if a system notification announces them, too. */
  notices: false,
  /** True if the details of a conversation stand beside it. */
  detailsShown: true,
  /** True if Enter sends; otherwise Ctrl+Enter does. */
  sendWithEnter: false,
}

export type Preference = keyof typeof defaults

export function preference(name: Preference): boolean {
  return stored(name) ?? defaults[name]
}

export function setPreference(name: Preference, value: boolean): void {
  setKept(keptAs(name), String(value))
}

export function usePreference(name: Preference): boolean {
  return useSyncExternalStore(onKept, () => preference(name))
}

function stored(name: Preference): boolean | null {
  const value = localStorage.getItem(keptAs(name))
  return value === null ? null : value === 'true'
}

function keptAs(name: Preference): string {
  return `parley-preference ${name}`
}
