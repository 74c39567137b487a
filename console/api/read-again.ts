const RETRY_MS = 1_000
const LONGEST_RETRY_MS = 5_000

/**
 * Reads something again and again, with pauses that grow while it fails.
 * @param read returns false if it failed
 * @param paused called at the beginning of each pause, with a function that ends it
 * @param signal ends everything
 */
export async function readAgain(
  read: () => Promise<boolean>,
  paused: (wake: () => void) => void,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = RETRY_MS
  let wake = () => {}
  signal.addEventListener('abort', () => wake())
  while (!signal.aborted) {
    if (await read()) waitMs = RETRY_MS
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      // The random factor keeps browsers from all coming back at the same moment.
      const timer = setTimeout(resolve, waitMs * (0.5 + Math.random() / 2))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      paused(wake)
    })
    waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)
  }
}
