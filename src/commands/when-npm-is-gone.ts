const LOOK_EVERY_MS = 250

/**
 * Tells when the shell has ended in which npm runs this process. npm passes a signal to that shell, which dies of it and
 * tells nobody: the process would go on, with its port, after `npx parley serve` has ended.
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
