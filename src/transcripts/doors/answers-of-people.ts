import type { Kysely } from 'kysely'
import type { MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectMessagesBetween } from '../messages/store.ts'

/** A message of a conversation, and who said it. */
export interface SaidMessage {
  role: 'user' | 'assistant' | 'operator'
  text: string
  /** The name of the person who wrote it; null: nobody of the team did. */
  author: string | null
}

const MOST = 60

/** Finds those of some completions of a conversation after whose last message of a user a person has answered. */
export async function answeredAmong(
  db: Kysely<Tables>,
  conversationId: string,
  completionIds: readonly string[],
): Promise<Set<string | null>> {
  if (completionIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('messages')
    .select('completion_id')
    .where('conversation_id', '=', conversationId)
    .where('completion_id', 'in', completionIds)
    .where('role', '=', 'user')
    .groupBy('completion_id')
    .having(
      ({ fn }) => fn.max('id'),
      '<',
      db
        .selectFrom('messages')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('conversation_id', '=', conversationId)
        .where('role', '=', 'operator'),
    )
    .execute()
  return new Set(rows.map(({ completion_id }) => completion_id))
}

/**
 * Reads the messages from the last message of a user in a completion on, until the agent is asked again after a
 * person's answer; null when no person has answered.
 */
export async function answeredByPeople(
  db: Kysely<Tables>,
  conversationId: string,
  completionId: string,
): Promise<SaidMessage[] | null> {
  const messages = db.selectFrom('messages').where('messages.conversation_id', '=', conversationId)
  const { id: asked } = await messages
    .select(({ fn }) => fn.max('messages.id').as('id'))
    .where('completion_id', '=', completionId)
    .where('role', '=', 'user')
    .executeTakeFirstOrThrow()
  if (asked === null) return null
  const { id: answered } = await messages
    .select(({ fn }) => fn.min('messages.id').as('id'))
    .where('messages.id', '>', asked)
    .where('role', '=', 'operator')
    .executeTakeFirstOrThrow()
  if (answered === null) return null
  const { id: next } = await messages
    .innerJoin('completions', 'completions.id', 'messages.completion_id')
    .select(({ fn }) => fn.min('messages.id').as('id'))
    .where('messages.id', '>', answered)
    .where('role', '=', 'user')
    .where('completions.agent_paused', '=', 0)
    .executeTakeFirstOrThrow()
  const rows = await selectMessagesBetween(db, {
    conversation_id: conversationId,
    after: asked - 1,
    before: next ?? Number.MAX_SAFE_INTEGER,
    limit: MOST,
  })
  return rows.flatMap(({ role, round, content, author }) => {
    if (round !== null || (role !== 'user' && role !== 'assistant' && role !== 'operator')) return []
    const text = textOfContent(JSON.parse(content) as MessageContent).trim()
    return text === '' ? [] : [{ role, text, author }]
  })
}
