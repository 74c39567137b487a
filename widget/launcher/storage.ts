/** What a visitor's browser keeps of a chat, once it was opened. */
export interface Kept {
  token?: string
  /** Not sent yet. */
  draft?: string
  /** Sent, but not received yet: each with the key by which the service knows a repeat. */
  waiting?: { id: string; text: string }[]
  /** The newest message that was in sight. */
  seen?: number
}

/** Where a widget keeps something in the browser. Without storage it is lost with the page, and the chat works all the same. */
export interface Storage {
  read(): Kept
  keep(change: Kept): void
  forget(): void
  /** True while the chat is open in this tab, on whichever of the site's pages. */
  isOpen(): boolean
  keepOpen(isOpen: boolean): void
}

/** @param key of the widget */
export function storageOf(key: string): Storage {
  const name = `parley:${key}`
  return { read, keep, forget, isOpen, keepOpen }

  function read(): Kept {
    return tried(() => JSON.parse(localStorage.getItem(name) ?? '{}')) ?? {}
  }

  function keep(change: Kept): void {
    tried(() => localStorage.setItem(name, JSON.stringify({ ...read(), ...change })))
  }

  function forget(): void {
    tried(() => localStorage.removeItem(name))
  }

  function isOpen(): boolean {
    return tried(() => sessionStorage.getItem(name)) != null
  }

  function keepOpen(isOpen: boolean): void {
    tried(() => (isOpen ? sessionStorage.setItem(name, '') : sessionStorage.removeItem(name)))
  }
}

/** Asks the storage; undefined where the browser allows none. */
function tried<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
