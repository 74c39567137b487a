/** The time after which an act that failed is tried again. */
const AGAIN_MS = 2000

/**
 * Makes a function that asks for an act, which begins soon: once for all that ask until then, and never twice at once. One
 * that fails is tried again.
 * @param afterMs the time in which more may ask
 */
export function askSoon(act: () => Promise<void>, afterMs: number, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let isActing = false
  let isAskedAgain = false
  let isClosed = false

  function ask(inMs = afterMs): void {
    if (isClosed) return
    if (isActing) isAskedAgain = true
    else timer ??= setTimeout(() => void run(), inMs)
  }

  async function run(): Promise<void> {
    timer = undefined
    isActing = true
    let hasFailed = false
    try {
      await act()
    } catch (error) {
      hasFailed = true
      failed(error)
    }
    isActing = false
    if (hasFailed) ask(AGAIN_MS)
    else if (isAskedAgain) ask()
    isAskedAgain = false
  }

  return {
    ask: () => ask(),
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
