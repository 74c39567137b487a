import { readFileSync } from 'node:fs'

// Tests of durations measure processor time, because on a busy machine the clock also counts the time of other
// processes.

/** Returns the processor time that this thread has used, in milliseconds. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Begins to measure the processor time of this thread. Returns a function that tells it, in milliseconds. */
export function processorTime(): () => number {
  const start = threadMs()
  return () => threadMs() - start
}

const TICK_MS = 10

/**
 * Returns the processor time that the main thread of a process has used, in milliseconds. Where the system has no files
 * about processes, returns the time of the clock.
 */
export function mainThreadMs(pid: number): number {
  if (process.platform !== 'linux') return performance.now()
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  // The name of the thread, in parentheses, may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * TICK_MS
}
