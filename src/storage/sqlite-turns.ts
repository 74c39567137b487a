import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import type { Engine } from './engine.ts'

/** The transactions of a team that run at once while another team is at work. */
const OF_TEAM = 2
/** A team counts as at work for so long after its last transaction began. */
const AT_WORK_MS = 1000

/**
 * Limits the transactions of each team that run at once while several teams are at work: every open one takes a step of
 * the event loop for each step of another. A team that is alone has no limit, because many are written with one flush.
 */
export function turnsOfTeams(clock: () => number = () => performance.now()): Engine['inTurnOf'] {
  let last = { teamId: 0, at: Number.NEGATIVE_INFINITY }
  let sharedUntil = Number.NEGATIVE_INFINITY
  const ofTeam = () => (clock() < sharedUntil ? OF_TEAM : Number.POSITIVE_INFINITY)
  const turns = turnsByTeam(Number.POSITIVE_INFINITY, ofTeam)
  return async ({ teamId }, transaction) => {
    const at = clock()
    if (teamId !== last.teamId && at < last.at + AT_WORK_MS) sharedUntil = at + AT_WORK_MS
    last = { teamId, at }
    using _place = await turns.take(teamId)
    return await transaction()
  }
}
