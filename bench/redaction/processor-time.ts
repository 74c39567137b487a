/** Returns this thread's processor time in milliseconds, which other work on the machine hardly affects. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
