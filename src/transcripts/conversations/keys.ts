import { randomBytes } from 'node:crypto'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { inConversations } from './of-completions.ts'

type Db = Kysely<Tables>

const selectKey = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db.selectFrom('conversation_keys').select('key').where('conversation_id', '=', param('conversation_id')),
)

/**
 * Returns the random keys of some conversations, by conversation. One that has none is given one: the numbers of its
 * placeholders are made from it, and nobody can make them again once it is forgotten.
 */
export async function keysOfConversations(
  db: Db,
  agentId: number,
  conversationIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (const id of new Set(conversationIds)) keys.set(id, await keyOfConversation(db, agentId, id))
  return keys
}

/** Returns the key of a conversation; null: it has none. */
export async function findKey(db: Db, conversationId: string): Promise<string | null> {
  const [row] = await selectKey(db, { conversation_id: conversationId })
  return row?.key ?? null
}

/** Returns the key of one conversation, as `keysOfConversations` does. */
export async function keyOfConversation(db: Db, agentId: number, conversationId: string): Promise<string> {
  for (;;) {
    const key = await findKey(db, conversationId)
    if (key !== null) return key
    // Another process may give it one at the same time.
    await db
      .insertInto('conversation_keys')
      .values({
        conversation_id: conversationId,
        agent_id: agentId,
        key: randomBytes(16).toString('base64url'),
      })
      .onConflict((conflict) => conflict.column('conversation_id').doNothing())
      .execute()
  }
}

/** Deletes the keys of the conversations of some completions, and of other given conversations. Returns their number. */
export async function forgetKeys(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[] = [],
): Promise<number> {
  const forget = db.deleteFrom('conversation_keys')
  return inConversations(db, completions, conversationIds, async (conversations) => {
    const { numDeletedRows } = await forget
      .where('conversation_id', 'in', conversations)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}
