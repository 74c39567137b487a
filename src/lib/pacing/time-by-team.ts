import { HOUR_MS } from '../clock.ts'
import type { Team } from './turns-by-team.ts'

/** The time that each team has used of its hourly budget. */
interface TimeByTeam {
  isSpent(team: Team): boolean
  spend(team: Team, ms: number): void
}

/** @param hourlyMs the budget of a team for an hour; used time expires evenly at this rate */
export function timeByTeam(hourlyMs: number, clock = () => performance.now()): TimeByTeam {
  const teams = new Map<Team, { spentMs: number; at: number }>()

  function spentBy(team: Team): number {
    const { spentMs = 0, at = 0 } = teams.get(team) ?? {}
    return Math.max(0, spentMs - ((clock() - at) / HOUR_MS) * hourlyMs)
  }

  return {
    isSpent: (team) => team !== null && spentBy(team) >= hourlyMs,
    spend(team, ms) {
      if (team === null) return
      teams.set(team, { spentMs: spentBy(team) + ms, at: clock() })
      for (const id of teams.keys()) if (spentBy(id) === 0) teams.delete(id)
    },
  }
}
