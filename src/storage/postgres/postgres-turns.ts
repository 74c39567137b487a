import { atMostEach } from '../../lib/pacing/at-most.ts'
import type { Engine } from '../engine.ts'
import { turnsOfTeams } from '../turns-of-teams.ts'

/**
 * Limits the transactions of one agent and of one team that run at once; the others wait without a connection.
 * @param tooLate makes the error for one whose turn does not come within `limitMs`
 */
export function turnsOfOwners(
  most: { ofAgent: number; ofTeam: Parameters<typeof turnsOfTeams>[0] },
  limitMs: number,
  tooLate: () => Error,
): Engine['inTurnOf'] {
  const inTurnOfAgent = atMostEach<number>(most.ofAgent)
  const inTurnOfTeam = turnsOfTeams(most.ofTeam)
  return ({ agentId, teamId }, transaction) => {
    const waiting = Promise.withResolvers<never>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      waiting.reject(tooLate())
    }, limitMs)
    const run = inTurnOfAgent(agentId, () =>
      inTurnOfTeam(teamId, async () => {
        clearTimeout(timer)
        if (isLate) throw tooLate()
        return transaction()
      }),
    )
    return Promise.race([run, waiting.promise])
  }
}
