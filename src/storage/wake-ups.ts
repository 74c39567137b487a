import { EventEmitter } from 'node:events'

/** Tells workers that there is something to do. Best effort: a worker also looks by itself now and then. */
export interface WakeUps {
  /** Called after the commit of the new work. Tells this process at once and the others soon. */
  send(topic: string): void
  /** Tells this process only. */
  sendHere(topic: string): void
  /** @returns a function that stops listening */
  listen(topic: string, listener: () => void): () => void
}

/**
 * Wake-ups within one process.
 * @param sent is called for each wake-up, to carry it to other processes
 */
export function localWakeUps(sent: (topic: string) => void = () => {}) {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    send(topic: string) {
      emitter.emit(topic)
      sent(topic)
    },
    listen(topic: string, listener: () => void) {
      emitter.on(topic, listener)
      return () => void emitter.off(topic, listener)
    },
    sendHere: (topic: string) => void emitter.emit(topic),
  }
}
