type Listener = (conversationId: string) => void

/** Makes a signal that tells parts of the page that the signed-in person has done something to a conversation. */
function sign() {
  const listeners = new Set<Listener>()
  return {
    /** Adds a listener. @returns a function that removes it */
    listen(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(conversationId: string): void {
      for (const listener of listeners) listener(conversationId)
    },
  }
}

export const ended = sign()
export const tookOver = sign()
