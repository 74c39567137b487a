import { ApiError } from '../errors.ts'

/** Begins an upload of a team. @throws ApiError rate_limited */
export type BeginUpload = (team: number) => Disposable

/**
 * Returns a function that begins an upload and refuses it if too many are under way. An upload counts until it is
 * disposed of.
 * @param most the most of all teams
 * @param mostOfTeam the most of one team
 */
export function uploadsAtOnce(most: number, mostOfTeam: number): BeginUpload {
  const ofTeams = new Map<number, number>()
  let all = 0
  return (team) => {
    const ofTeam = ofTeams.get(team) ?? 0
    if (ofTeam >= mostOfTeam) throw refused(`The team has ${mostOfTeam} uploads under way already.`)
    if (all >= most) throw refused('There are too many uploads under way.')
    count(1)
    return { [Symbol.dispose]: () => count(-1) }

    function count(by: number): void {
      all += by
      const now = (ofTeams.get(team) ?? 0) + by
      if (now === 0) ofTeams.delete(team)
      else ofTeams.set(team, now)
    }
  }
}

function refused(message: string): ApiError {
  return new ApiError('rate_limited', { message, headers: { 'retry-after': '5' } })
}
