import type { Listeners } from './listeners.ts'

/** An idle stream sends a heartbeat this often, which keeps proxies from closing it. */
const EVERY_MS = 15_000
const PARTS = 60

/**
 * Sends heartbeats to a part of the listeners at a time, so that none of many waits for all others.
 * @param placeNow returns the place up to which the log was read, as text; null while it is not read
 */
export function heartbeats(listeners: Listeners, placeNow: () => string | null) {
  let tick = 0
  let beating: NodeJS.Timeout | undefined

  function beat(): void {
    tick = (tick + 1) % PARTS
    const place = placeNow()
    if (place === null) return
    const here = Buffer.from(`: keep-alive\nid: ${place}\n\n`)
    const quiet = Buffer.from(': keep-alive\n\n')
    let at = 0
    for (const listener of listeners.all) {
      if (at++ % PARTS === tick) listener.pass(listener.isInStep ? here : quiet)
    }
  }

  return {
    start(): void {
      beating = setInterval(beat, EVERY_MS / PARTS)
      beating.unref()
    },
    close: () => clearInterval(beating),
  }
}
