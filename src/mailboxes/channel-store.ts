import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { lockedRowOfAgent, pageOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { ChannelRow } from './tables.ts'

type Db = Kysely<Tables>

const channels = (db: Db) => db.selectFrom('channels').selectAll()

export const selectChannel = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('channels').selectAll().where('id', '=', param('id')),
)

export async function selectAllChannels(db: Db): Promise<ChannelRow[]> {
  return db.selectFrom('channels').selectAll().execute()
}

/** Reads the names and kinds of channels of an agent. */
export async function selectChannelNames(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<Pick<ChannelRow, 'id' | 'kind' | 'name'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('channels')
    .select(['id', 'kind', 'name'])
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
}

export const selectChannelsPage = pageOfAgent(channels)

export async function insertChannel(
  db: Db,
  row: Pick<ChannelRow, 'agent_id' | 'team_id' | 'kind' | 'name' | 'active' | 'created_at'>,
): Promise<number> {
  const { id } = await db
    .insertInto('channels')
    .values({ ...row, settings: '{}', updated_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reads a channel of an agent and locks it until the transaction ends. */
export const lockChannel = lockedRowOfAgent(channels)

export async function updateChannel(
  db: Db,
  id: number,
  values: Partial<Pick<ChannelRow, 'name' | 'active' | 'settings' | 'updated_at'>>,
): Promise<ChannelRow> {
  return db.updateTable('channels').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteChannel(db: Db, agentId: number, id: number): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).where('agent_id', '=', agentId).execute()
}
