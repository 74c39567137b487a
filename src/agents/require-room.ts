import type { Kysely } from 'kysely'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { lockAgent, lockTeam } from './store.ts'

type Db = Kysely<Tables>

/** The most rows of a kind, and the error that refuses one more. */
interface Limit {
  readonly most: number
  readonly error: ErrorCode
}

/**
 * Refuses one more row when an agent has reached a limit. The agent stays locked until the transaction ends, because
 * requests that count at the same time could exceed the limit together.
 * @param count returns the present number
 * @throws ApiError the error of the limit
 */
export async function requireRoom(
  db: Db,
  agentId: number,
  limit: Limit,
  count: () => Promise<number>,
): Promise<void> {
  await lockAgent(db, agentId)
  await refuseBeyond(limit, count)
}

/**
 * Refuses one more row when a team has reached a limit, under the lock of the team.
 * @throws ApiError the error of the limit
 */
export async function requireRoomInTeam(
  db: Db,
  teamId: number,
  limit: Limit,
  count: () => Promise<number>,
): Promise<void> {
  await lockTeam(db, teamId)
  await refuseBeyond(limit, count)
}

async function refuseBeyond({ most, error }: Limit, count: () => Promise<number>): Promise<void> {
  if ((await count()) >= most) throw new ApiError(error)
}
