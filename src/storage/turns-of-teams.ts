import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'

/** A team counts as at work for so long after its last transaction began. */
const AT_WORK_MS = 1000

/**
 * Limits the transactions of each team that run at once. While several teams are at work the limit is lower: each step
 * of a transaction waits for a step of every other that is open.
 * @param most the limits of a team that is alone, and of each of several
 */
export function turnsOfTeams(
  most: { alone: number; beside: number },
  clock: () => number = () => performance.now(),
): <T>(teamId: number, transaction: () => Promise<T>) => Promise<T> {
  let last = { teamId: 0, at: Number.NEGATIVE_INFINITY }
  let sharedUntil = Number.NEGATIVE_INFINITY
  const ofTeam = () => (clock() < sharedUntil ? most.beside : most.alone)
  const turns = turnsByTeam(Number.POSITIVE_INFINITY, ofTeam)
  return async (teamId, transaction) => {
    const at = clock()
    if (teamId !== last.teamId && at < last.at + AT_WORK_MS) sharedUntil = at + AT_WORK_MS
    last = { teamId, at }
    using _place = await turns.take(teamId)
    return await transaction()
  }
}
