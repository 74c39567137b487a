import type { Kysely } from 'kysely'
import type { Occasion } from '../../agents/occasion.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { occasionAt } from '../conversations/occasion.ts'
import { placeOf } from '../conversations/place.ts'
import { selectUsers } from '../users/profile-store.ts'
import { idOfKey } from '../users/user-key.ts'

/** The number of conversations whose messages are written between two looks at anything else. */
const AT_ONCE = 500

const setContent = prepared((db, param: ParamOf<{ id: number; content: string }>) =>
  db
    .updateTable('messages')
    .set({ content: param('content') })
    .where('id', '=', param('id')),
)

/**
 * Words messages that an agent has just written into many conversations anew for each of them.
 * @param textFor the text for an occasion; null: the message stays as it is
 * @param said the time at which they were written
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
      .select(['id', 'user_id', 'channel_id', 'widget_id', 'external_id', 'tags', 'language'])
      .where('id', 'in', [...some.keys()])
      .execute()
    const ids = conversations.flatMap(({ user_id }) => user_id ?? [])
    const users = new Map((await selectUsers(db, agentId, ids)).map((user) => [user.id, user]))
    for (const { id, user_id, ...conversation } of conversations) {
      const user = user_id === null ? undefined : users.get(user_id)
      const isProven = user?.proof === 'signed' || user?.proof === 'platform'
      const place = placeOf(conversation, conversation.channel_id, user_id)
      const writing = { proven_id: isProven ? idOfKey(user_id) : null }
      const text = textFor(occasionAt(place, writing, user, Date.parse(said)))
      if (text !== null) await setContent(db, { id: some.get(id) as number, content: JSON.stringify(text) })
    }
  }
}
