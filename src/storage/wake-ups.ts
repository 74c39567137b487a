import { EventEmitter } from 'node:events'
import type { z } from 'zod'

/** Tells workers that there is something to do. Best effort: a worker also looks by itself now and then. */
export interface WakeUps {
  /** Called after the commit of the new work. Tells this process at once and the others soon. */
  send(topic: string): void
  /** Tells this process only. */
  sendHere(topic: string): void
  /** @returns a function that stops listening */
  listen(topic: string, listener: () => void): () => void
  /**
   * Says something to the other processes that is kept nowhere, and is lost when one does not listen or is away.
   * @param text up to `LONGEST_SAID` bytes as a JSON string
   */
  say(topic: string, text: string): void
  /**
   * Hears what other processes say.
   * @param schema of what is said, as JSON; anything else is refused
   * @returns a function that stops listening
   */
  hear<Said>(topic: string, schema: z.ZodType<Said>, listener: (said: Said) => void): () => void
  /** Is told when something came that cannot be read: it is passed over. There is one such listener. */
  onRefused(listener: () => void): void
}

/** A topic of which this process is told when it has reached the database anew, which may have been put back meanwhile. */
export const RECONNECTED = 'reconnected'

/** PostgreSQL carries 8,000 bytes in one piece. */
export const LONGEST_SAID = 7000

/**
 * Wake-ups within one process.
 * @param sent is called for each wake-up, to carry it to other processes
 */
export function localWakeUps(sent: (topic: string) => void = () => {}) {
  const emitter = new EventEmitter().setMaxListeners(0)
  const sendHere = (topic: string) => {
    // To an emitter one name is special: `error` throws when nobody listens. Other processes may send any.
    if (emitter.listenerCount(topic) > 0) emitter.emit(topic)
  }
  return {
    send(topic: string) {
      sendHere(topic)
      sent(topic)
    },
    listen(topic: string, listener: () => void) {
      emitter.on(topic, listener)
      return () => void emitter.off(topic, listener)
    },
    sendHere,
    // There is nobody else.
    say: () => {},
    hear: () => () => {},
    onRefused: () => {},
  }
}
