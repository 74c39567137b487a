import { MINUTE_MS } from '../../../lib/clock.ts'
import { ChildGone, openChildren } from '../../../lib/pacing/children.ts'
import { TaskTooSlow } from '../../../lib/pacing/threads.ts'
import { timeByTeam } from '../../../lib/pacing/time-by-team.ts'
import { type Team, turnsByTeam } from '../../../lib/pacing/turns-by-team.ts'
import type { BinaryFormat, FileToConvert } from './convert-tasks.ts'
import type { Converted } from './converted.ts'
import { SPENT, TOO_LARGE, TOO_SLOW } from './refusals.ts'

interface Converter {
  /** Reads a file within bounds of time and memory, when it is the team's turn. */
  convert(team: Team, format: BinaryFormat, bytes: Uint8Array): Promise<Converted>
  /** Ends the processes. Files that are being read fail. */
  close(): Promise<void>
}

const PROCESSES = 2
const PROCESSES_OF_TEAM = 1

/**
 * Reads files in processes of their own. A process that holds on to much memory ends after its answer: a PDF of 400 kB
 * can take a gigabyte, and one of 1 kB a minute. Each team has a share of the processes and of their time.
 * @param hourlyMs the time that the files of a team may take in an hour
 */
export function openConverter(hourlyMs = 15 * MINUTE_MS): Converter {
  const time = timeByTeam(hourlyMs)
  const turns = turnsByTeam(PROCESSES, PROCESSES_OF_TEAM)
  const processes = openChildren<FileToConvert, Converted>(new URL('./convert-process', import.meta.url), {
    // The process gives up by itself after a minute.
    milliseconds: 1.5 * MINUTE_MS,
    keptMegabytes: 300,
  })

  return {
    async convert(team, format, bytes) {
      using _place = await turns.take(team)
      if (time.isSpent(team)) return SPENT
      const since = performance.now()
      try {
        return await processes.ask({ format, bytes })
      } catch (error) {
        if (error instanceof TaskTooSlow) return TOO_SLOW
        // The system or Node itself ended the process.
        if (error instanceof ChildGone && error.signal !== null) return TOO_LARGE
        throw error
      } finally {
        time.spend(team, performance.now() - since)
      }
    },
    close: processes.close,
  }
}

export const { convert: convertAside } = openConverter()
