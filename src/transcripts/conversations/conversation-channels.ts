import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** A subquery to join: the channels of conversations. */
export function conversationChannels(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db
    .selectFrom('conversations')
    .select(['conversations.id', 'conversations.channel_id'])
    .as('conversation')
}
