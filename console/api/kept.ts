const listeners = new Set<() => void>()

/** Keeps a text in this browser. @param text null to forget it */
export function setKept(place: string, text: string | null): void {
  if (text === null) localStorage.removeItem(place)
  else localStorage.setItem(place, text)
  for (const listener of listeners) listener()
}

/** Listens for changes of what is kept, also those that other tabs make. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
