import type { Kysely } from 'kysely'
import { channelNames } from '../mailboxes/channel-names.ts'
import { refusedSends } from '../mailboxes/items.ts'
import { countRows } from '../storage/count-rows.ts'
import type { Tables } from '../storage/tables.ts'
import { refusedConnections } from './connections/store.ts'

type Db = Kysely<Tables>

/** Counts the channels whose platform refused their token since a time, or does so now when they are connected. */
export function countRefusedChannels(db: Db, since: string): Promise<number> {
  return countRows(db.selectFrom(refused(db, since)))
}

/** Reads an agent's channels whose platform refused their token since a time, or does so now. */
export async function refusedChannels(
  db: Db,
  agentId: number,
  since: string,
): Promise<{ id: number; name: string }[]> {
  const rows = await db
    .selectFrom(refused(db, since))
    .innerJoin(channelNames(db), 'channel.id', 'refused.id')
    .select(['channel.id', 'channel.name', 'channel.kind'])
    .where('refused.agent_id', '=', agentId)
    .orderBy('channel.id')
    .execute()
  return rows.map(({ id, name, kind }) => ({ id, name: name ?? kind }))
}

/** Selects these channels, each once. */
function refused(db: Db, since: string) {
  return refusedSends(db, since).union(refusedConnections(db)).as('refused')
}
