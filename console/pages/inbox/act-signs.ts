type Listener = (conversationId: string) => void

/** Tells parts of the page that the person who is signed in has done something to a conversation. */
function sign() {
  const listeners = new Set<Listener>()
  return {
    /** @returns a function that stops listening */
    listen(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(conversationId: string): void {
      for (const listener of listeners) listener(conversationId)
    },
  }
}

export const ended = sign()
export const tookOver = sign()
