import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Names and platforms of channels, to join to a query. */
export function channelNames(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('channels').select(['channels.id', 'channels.name', 'channels.kind']).as('channel')
}

/** The channels with their agents and names, for the text of a trigger. */
export const NAMED_CHANNELS = '(select id, agent_id, name from channels) as named_channels'
