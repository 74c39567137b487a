import type { Kysely } from 'kysely'
import { ApiError, type Limited, mostOf } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { lockAgent, lockTeam } from './store.ts'

type Db = Kysely<Tables>

/**
 * Refuses one more row when an agent has reached a limit. The agent stays locked until the transaction ends, because
 * requests that count at the same time could exceed the limit together.
 * @param count returns the present number
 * @throws ApiError too_many_ and the name of what is limited
 */
export async function requireRoom(
  db: Db,
  agentId: number,
  what: Limited,
  count: () => Promise<number>,
): Promise<void> {
  await lockAgent(db, agentId)
  await refuseBeyond(what, count)
}

/**
 * Refuses one more row when a team has reached a limit, under the lock of the team.
 * @throws ApiError too_many_ and the name of what is limited
 */
export async function requireRoomInTeam(
  db: Db,
  teamId: number,
  what: Limited,
  count: () => Promise<number>,
): Promise<void> {
  await lockTeam(db, teamId)
  await refuseBeyond(what, count)
}

async function refuseBeyond(what: Limited, count: () => Promise<number>): Promise<void> {
  if ((await count()) >= mostOf[what]) throw new ApiError(`too_many_${what}`)
}
