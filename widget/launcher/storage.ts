/** What a visitor's browser keeps of a chat, once it was opened. */
export interface Kept {
  token?: string
  /** Not sent yet. */
  draft?: string
  /** Sent, but not received yet: each with the key by which the service knows a repeat. */
  waiting?: { id: string; text: string }[]
}

/** Where a widget keeps something in the browser. Without storage it is lost with the page, and the chat works all the same. */
export interface Storage {
  read(): Kept
  keep(change: Kept): void
  forget(): void
}

/** @param key of the widget */
export function storageOf(key: string): Storage {
  const name = `parley:${key}`
  return { read, keep, forget }

  function read(): Kept {
    try {
      return JSON.parse(localStorage.getItem(name) ?? '{}')
    } catch {
      return {}
    }
  }

  function keep(change: Kept): void {
    try {
      localStorage.setItem(name, JSON.stringify({ ...read(), ...change }))
    } catch {}
  }

  function forget(): void {
    try {
      localStorage.removeItem(name)
    } catch {}
  }
}
