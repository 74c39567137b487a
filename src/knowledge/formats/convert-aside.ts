import { openThreads, TaskTooLarge, TaskTooSlow } from '../../lib/pacing/threads.ts'
import type { convertTasks } from './convert-tasks.ts'
import type { Converted } from './converted.ts'

/** Formats of files that are no text. */
export type BinaryFormat = keyof typeof convertTasks

/**
 * One at a time, because the memory that a file takes is seen only in that of the whole process: a PDF of 400 kB can take
 * a gigabyte in buffers, which the limits of a thread do not count.
 */
const threads = openThreads<typeof convertTasks>(new URL('./convert-thread', import.meta.url), 1, {
  // 500 pages take two seconds.
  milliseconds: 60_000,
  megabytes: 512,
  grownMegabytes: 700,
})

/** Reads a file in another thread, within bounds of time and memory. */
export async function convertAside(format: BinaryFormat, bytes: Uint8Array): Promise<Converted> {
  try {
    return await threads.run(format, bytes)
  } catch (error) {
    if (error instanceof TaskTooSlow) return { refused: 'it takes too long to read' }
    const isTooLarge =
      error instanceof TaskTooLarge || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (isTooLarge) return { refused: 'it takes too much memory to read' }
    throw error
  }
}
