import type { Attachment } from '../attachment.ts'

/** The data of a chat that a visitor's browser keeps once the chat was opened. */
export interface Kept {
  token?: string
  /** Text that is not sent yet. */
  draft?: string
  /** Messages sent but not yet received, each with the key by which the service knows a repeat. */
  waiting?: { id: string; text: string; files?: Attachment[] | undefined }[]
  /** The id of the newest message that the visitor has seen. */
  seen?: number
  /** The id of the conversation in which the visitor does not want to leave an address. */
  noMail?: string
}

/** A widget's storage in the browser. Without one the data is lost with the page, and the chat still works. */
export interface Storage {
  read(): Kept
  keep(change: Kept): void
  forget(): void
  /** True while the chat is open in this tab, on any page of the site. */
  isOpen(): boolean
  keepOpen(isOpen: boolean): void
}

/** Returns the storage of a widget. @param key the widget's key */
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

/** Returns the result of using the storage, or undefined where the browser allows none. */
function tried<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
