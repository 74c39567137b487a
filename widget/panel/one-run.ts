/** Returns a function that does the work unless it is being done. After a failure, the next call begins it again. */
export function oneRun(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    try {
      await work()
    } finally {
      isRunning = false
    }
  }
}
