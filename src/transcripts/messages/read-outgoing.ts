import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** Reads a message to send, with the sources and calls to action of its completion; undefined if it does not exist. */
export async function readOutgoing(db: Kysely<Tables>, id: number) {
  return db
    .selectFrom('messages')
    .leftJoin('completions', 'completions.id', 'messages.completion_id')
    .select([
      'messages.id',
      'messages.completion_id',
      'messages.role',
      'messages.content',
      'completions.ctas',
      'completions.citations',
      'completions.redacted',
    ])
    .where('messages.id', '=', id)
    .executeTakeFirst()
}

export type Outgoing = NonNullable<Awaited<ReturnType<typeof readOutgoing>>>

/** Returns the ids of those messages that are answers of the agent. */
export async function answersAmong(db: Kysely<Tables>, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('id', 'in', ids)
    .where('role', '=', 'assistant')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
