/** The error thrown when something took longer than it may. */
export class TooLate extends Error {
  constructor(what: string) {
    super(`${what} did not answer in time`)
    this.name = 'TooLate'
  }
}

/**
 * Waits for work, but no longer than a number of milliseconds. Late work continues, and its result is ignored.
 * @param what names the work in the error
 * @throws TooLate
 */
export async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    // After a pause of the event loop, timers fire first. `setImmediate` lets data that arrived meanwhile be handled
    // before.
    timer = setTimeout(() => setImmediate(() => reject(new TooLate(what))), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
