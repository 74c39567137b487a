import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Channels of conversations, to join to a query. */
export function conversationChannels(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db
    .selectFrom('conversations')
    .select(['conversations.id', 'conversations.channel_id'])
    .as('conversation')
}
