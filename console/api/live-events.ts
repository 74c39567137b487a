import type { LiveEventAnswer } from '../../src/live/schemas.ts'

type Listener = (event: LiveEventAnswer) => void
const listeners = new Set<Listener>()

/** Calls `listener` with every event of the live stream, until the returned function is called. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Passes an event of the live stream to all listeners. Only the stream itself calls this. */
export function tellLiveEvent(event: LiveEventAnswer): void {
  for (const listener of listeners) listener(event)
}
