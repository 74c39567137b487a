/** Milliseconds of processor time that this thread has used: what else the machine does leaves it nearly alone. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
