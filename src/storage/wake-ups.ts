import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import type { z } from 'zod'

/** Tells workers that there is something to do. Best effort: a worker also looks at intervals. */
export interface WakeUps {
  /** Wakes this process at once and the others soon. To be called after the commit of the new work. */
  send(topic: string): void
  /** Wakes only this process. */
  sendHere(topic: string): void
  /**
   * Listens to a topic. The listener runs in the asynchronous context of this call, not in that of the sender.
   * @returns a function that stops listening
   */
  listen(topic: string, listener: () => void): () => void
  /**
   * Sends a text to the other processes. It is not stored, and a process that is away or does not listen misses it.
   * @param text up to `LONGEST_SAID` bytes as a JSON string
   */
  say(topic: string, text: string): void
  /**
   * Listens to texts of other processes.
   * @param schema of the text, as JSON; anything else is refused
   * @returns a function that stops listening
   */
  hear<Said>(topic: string, schema: z.ZodType<Said>, listener: (said: Said) => void): () => void
  /** Sets the one listener that is called when an unreadable text was ignored. */
  onRefused(listener: () => void): void
}

/** The topic that wakes this process when it has reached the database anew, which may have been put back meanwhile. */
export const RECONNECTED = 'reconnected'

/** PostgreSQL carries 8,000 bytes in one notification. */
export const LONGEST_SAID = 7000

/**
 * Creates wake-ups within one process.
 * @param sent receives each wake-up, to carry it to other processes
 */
export function localWakeUps(sent: (topic: string) => void = () => {}) {
  const emitter = new EventEmitter().setMaxListeners(0)
  const sendHere = (topic: string) => {
    // An emitter treats one name specially: `error` throws when nobody listens. Other processes may send any
    // name.
    if (emitter.listenerCount(topic) > 0) emitter.emit(topic)
  }
  return {
    send(topic: string) {
      sendHere(topic)
      sent(topic)
    },
    listen(topic: string, listener: () => void) {
      const bound = AsyncLocalStorage.bind(listener)
      emitter.on(topic, bound)
      return () => void emitter.off(topic, bound)
    },
    sendHere,
    // There is no other process.
    say: () => {},
    hear: () => () => {},
    onRefused: () => {},
  }
}
