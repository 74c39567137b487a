import type { ServerResponse } from 'node:http'

/**
 * Resolves when the client has read enough that more may be sent, or is gone.
 * @param stalledMs the time after which a client that reads nothing is cut off
 */
export async function whenDrained(raw: ServerResponse, stalledMs: number): Promise<void> {
  if (!raw.writableNeedDrain || raw.destroyed) return
  await new Promise<void>((resolve) => {
    const stalled = setTimeout(() => raw.destroy(), stalledMs)
    const done = () => {
      clearTimeout(stalled)
      raw.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    raw.on('drain', done)
    raw.on('close', done)
  })
}
