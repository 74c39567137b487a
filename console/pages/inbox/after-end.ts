type Listener = (conversationId: string) => void
const listeners = new Set<Listener>()

/** Calls `listener` when the person who is signed in has ended a conversation. */
export function onEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tellEnded(conversationId: string): void {
  for (const listener of listeners) listener(conversationId)
}
