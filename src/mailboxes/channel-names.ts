import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** A subquery to join: the names and platforms of channels. */
export function channelNames(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('channels').select(['channels.id', 'channels.name', 'channels.kind']).as('channel')
}
