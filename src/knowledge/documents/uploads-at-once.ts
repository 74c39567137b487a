import { ApiError } from '../../errors.ts'

/** The maximum number of uploads at once. Each may take as much memory as PARLEY_UPLOAD_LIMIT allows. */
const MOST = 16
const MOST_OF_TEAM = 4

/**
 * Returns a function that begins an upload and refuses it if too many are under way. An upload counts until it is
 * disposed of.
 */
export function uploadsAtOnce(): (team: number) => Disposable {
  const ofTeams = new Map<number, number>()
  let all = 0
  return (team) => {
    const ofTeam = ofTeams.get(team) ?? 0
    if (ofTeam >= MOST_OF_TEAM) throw refused(`The team has ${MOST_OF_TEAM} uploads under way already.`)
    if (all >= MOST) throw refused('There are too many uploads under way.')
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
