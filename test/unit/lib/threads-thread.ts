import { serveTasks } from '../../../src/lib/pacing/threads.ts'

export const tasks = {
  double: (number: number) => 2 * number,
  fail(message: string) {
    throw new Error(message)
  },
  *count(most: number, failAt = most) {
    for (let count = 0; count < most; count++) {
      if (count === failAt) throw new Error(`at ${count}`)
      yield count
    }
  },
  spin() {
    for (;;);
  },
  hoard() {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => at + 0.5))
  },
  hoardBuffers() {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(1024 * 1024, 1))
  },
  async later(number: number) {
    await new Promise(setImmediate)
    if (number < 0) throw new Error('below zero')
    return number
  },
}

serveTasks(tasks)
