import { errorCode } from '../../../lib/error-code.ts'
import { answerParent } from '../../../lib/pacing/children.ts'
import { openThreads, TaskTooLarge, TaskTooSlow } from '../../../lib/pacing/threads.ts'
import type { convertTasks, FileToConvert } from './convert-tasks.ts'
import type { Converted } from './converted.ts'
import { TOO_LARGE, TOO_SLOW } from './refusals.ts'

/**
 * The thread that reads files. The process stays free to watch its memory, because buffers do not count against a
 * thread's limits.
 */
const threads = openThreads<typeof convertTasks>(new URL('./convert-thread', import.meta.url), {
  most: 1,
  ofTeam: 1,
  // 500 pages take two seconds.
  milliseconds: 60_000,
  megabytes: 512,
  grownMegabytes: 700,
})

answerParent(async ({ format, bytes }: FileToConvert): Promise<Converted> => {
  try {
    return await threads.run(null, format, bytes)
  } catch (error) {
    if (error instanceof TaskTooSlow) return TOO_SLOW
    const isTooLarge = error instanceof TaskTooLarge || errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    if (isTooLarge) return TOO_LARGE
    throw error
  }
})
