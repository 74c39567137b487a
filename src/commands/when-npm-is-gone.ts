const LOOK_EVERY_MS = 250

/**
 * Calls `gone` when the shell has ended in which npm runs this process. npm sends its signals only to that shell, which
 * ends without passing them on. Without this check the process would keep running, and keep its port, after `npx parley
 * serve` has ended.
 */
export function whenNpmIsGone(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, LOOK_EVERY_MS)
  timer.unref()
}
