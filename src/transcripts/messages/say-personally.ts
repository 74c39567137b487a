import { type Kysely, sql } from 'kysely'
import type { Occasion } from '../../agents/occasion.ts'
import type { Tables } from '../../storage/tables.ts'
import { profilesOf } from '../../users/known-users.ts'
import { occasionAt } from '../conversations/occasion.ts'
import { promptOrigin } from '../conversations/prompt-origin.ts'

/** The number of conversations whose messages one statement writes. */
const AT_ONCE = 500

/**
 * Puts a text for each conversation in place of the same message that an agent has just written into many.
 * @param textFor returns the text for an occasion; null: the message stays as it is
 * @param said the time at which the messages were written
 */
export async function sayPersonally(
  db: Kysely<Tables>,
  agentId: number,
  textFor: (occasion: Occasion) => string | null,
  said: string,
): Promise<void> {
  const messages = await db
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('agent_id', '=', agentId)
    .where('role', '=', 'transition')
    .where('completion_id', 'is', null)
    .where('created_at', '=', said)
    .execute()
  for (let from = 0; from < messages.length; from += AT_ONCE) {
    const some = new Map(messages.slice(from, from + AT_ONCE).map((one) => [one.conversation_id, one.id]))
    const conversations = await db
      .selectFrom('conversations')
      .select(['id', 'user_id', 'channel_id', 'widget_id', 'external_id', 'chat', 'tags', 'language'])
      // As in an answer, the proof of whoever wrote last decides what the text may tell of them.
      .select(({ selectFrom }) =>
        selectFrom('completions')
          .select('proven_id')
          .whereRef('completions.conversation_id', '=', 'conversations.id')
          .whereRef('completions.user_id', '=', 'conversations.user_id')
          .orderBy('created_at', 'desc')
          .orderBy('number', 'desc')
          .limit(1)
          .as('proven_id'),
      )
      .where('id', 'in', [...some.keys()])
      .execute()
    const ids = conversations.flatMap(({ user_id }) => user_id ?? [])
    const users = await profilesOf(db, agentId, ids)
    const texts = conversations.flatMap(({ id, user_id, proven_id, ...conversation }) => {
      const user = user_id === null ? undefined : users.get(user_id)
      const origin = promptOrigin(conversation, conversation.channel_id, user_id)
      const text = textFor(occasionAt(origin, { proven_id }, user, Date.parse(said)))
      return text === null ? [] : [{ id: some.get(id) as number, content: JSON.stringify(text) }]
    })
    await setContents(db, texts)
  }
}

async function setContents(
  db: Kysely<Tables>,
  messages: readonly { id: number; content: string }[],
): Promise<void> {
  if (messages.length === 0) return
  const cases = messages.map(({ id, content }) => sql`when ${sql.lit(id)} then cast(${content} as text)`)
  const ids = messages.map(({ id }) => id)
  await db
    .updateTable('messages')
    .set({ content: sql<string>`case id ${sql.join(cases, sql` `)} end` })
    .where('id', 'in', ids)
    .execute()
}
