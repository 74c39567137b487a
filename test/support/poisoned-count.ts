// Loaded before a process starts, so that it dies when it counts a conversation with the tag `poison`, as one without
// memory left would. Each such process leaves a line in the file DEATHS.
import { appendFileSync } from 'node:fs'

const stringify = JSON.stringify

JSON.stringify = ((...parts: Parameters<typeof stringify>) => {
  const text = stringify(...parts)
  if (text === '["poison:true"]') {
    appendFileSync(process.env.DEATHS ?? '', 'died\n')
    process.kill(process.pid, 'SIGKILL')
  }
  return text
}) as typeof stringify
