import type { FastifyBaseLogger } from 'fastify'
import type { QueuedRow } from './queue.ts'
import type { Ids } from './run-work.ts'

/** A part of a piece at which the piece fails this often is left out, so that it does not hold up the other parts. */
const LEFT_OUT_AFTER = 3

/**
 * Decides which part of a piece is left out. The parts are worked in order, and each one that is done clears the failures
 * of the piece, so all its failures come from the first part that is left.
 * @returns a function to call before each part: true for the one to leave out, which the log then names
 */
export function leaveOutOf(
  { attempts, deaths }: Pick<QueuedRow, 'attempts' | 'deaths'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): (part: Ids) => boolean {
  let isFirstHopeless = attempts + deaths >= LEFT_OUT_AFTER
  return (part) => {
    const isLeftOut = isFirstHopeless
    isFirstHopeless = false
    if (isLeftOut) logger.warn(part, 'a part of a piece of work was left out')
    return isLeftOut
  }
}
