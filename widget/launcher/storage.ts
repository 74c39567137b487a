/** What a visitor's browser keeps of a chat, once it was opened. */
export interface Kept {
  token?: string
  /** Not sent yet. */
  draft?: string
  /** Sent, but not received yet: each with the key by which the service knows a repeat. */
  waiting?: { id: string; text: string }[]
}

/** Reads what is kept for a widget; nothing where the browser allows no storage. */
export function readKept(key: string): Kept {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)) ?? '{}')
  } catch {
    return {}
  }
}

/** Changes what is kept; without storage it is lost with the page, and the chat works all the same. */
export function keep(key: string, change: Kept): void {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify({ ...readKept(key), ...change }))
  } catch {}
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(nameOf(key))
  } catch {}
}

function nameOf(key: string): string {
  return `parley:${key}`
}
