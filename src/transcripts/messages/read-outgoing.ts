import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Reads a message to send, with the sources and calls to action of its completion, and whether it asks for a rating; undefined if it does not exist. */
export async function readOutgoing(db: Kysely<Tables>, id: number) {
  return db
    .selectFrom('messages')
    .leftJoin('completions', 'completions.id', 'messages.completion_id')
    .leftJoin('rating_requests', 'rating_requests.message_id', 'messages.id')
    .select('rating_requests.message_id as rating_request')
    .select([
      'messages.id',
      'messages.completion_id',
      'messages.role',
      'messages.content',
      'messages.template',
      'messages.kind',
      'messages.attachments',
      'messages.author',
      'messages.operator_id',
      'messages.withheld',
      'completions.ctas',
      'completions.citations',
      'completions.redacted',
    ])
    .where('messages.id', '=', id)
    .executeTakeFirst()
}

export type Outgoing = NonNullable<Awaited<ReturnType<typeof readOutgoing>>>
