import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow, ConversationTagsTable } from '../tables.ts'

/** The longest value of a tag that can be filtered by, because keys of an index must be short. */
export const LONGEST_FILTERED_VALUE = 200

/** Returns the tags that conversations can be filtered by: those with a short plain value, as text. */
function filtered(tags: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    Object.entries(tags).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'object' && value !== null) return []
      const text = String(value)
      return text.length > LONGEST_FILTERED_VALUE ? [] : [[name, text]]
    }),
  )
}

const insertTags = preparedInsert<ConversationTagsTable>(
  'conversation_tags',
  ['conversation_id', 'name', 'value', 'agent_id'],
  (insert) =>
    insert.onConflict((conflict) =>
      conflict.columns(['conversation_id', 'name']).doUpdateSet({ value: sql`excluded.value` }),
    ),
)

/**
 * Updates the index of tags, in the transaction that writes the tags.
 * @param before the tags as they were stored
 */
export async function indexTags(
  db: Kysely<Tables>,
  { id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  before: string | null,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = before === null ? new Map() : filtered(JSON.parse(before) as Record<string, unknown>)
  const wanted = filtered(after)
  const gone = [...present.keys()].filter((name) => !wanted.has(name))
  const written = [...wanted].filter(([name, value]) => present.get(name) !== value)
  if (gone.length > 0)
    await db
      .deleteFrom('conversation_tags')
      .where('conversation_id', '=', id)
      .where('name', 'in', gone)
      .execute()
  await insertTags(
    db,
    written.map(([name, value]) => ({ conversation_id: id, name, value, agent_id })),
  )
}

/** A tag that conversations are filtered by. */
interface FilteredTag {
  name: string
  value: string
}

/**
 * Returns the condition that a conversation has a tag.
 * @param conversation the column of the outer query that holds the conversation's id
 */
export function isTagged(conversation: string, { name, value }: FilteredTag): RawBuilder<SqlBool> {
  return hasTag(conversation, sql`name = ${name} and value = ${value}`)
}

/**
 * Returns the condition that a conversation has a tag that figures name `name:value`. Both may hold colons.
 * @param conversation the column of the outer query that holds the conversation's id
 */
export function isTaggedAs(conversation: string, named: string): RawBuilder<SqlBool> {
  return hasTag(conversation, sql`name || ':' || value = ${named}`)
}

function hasTag(conversation: string, isMeant: RawBuilder<unknown>): RawBuilder<SqlBool> {
  // For an `exists`, PostgreSQL might read all conversations with the tag, although a page has only a few of them.
  return sql`(select 1 from conversation_tags
    where conversation_tags.conversation_id = ${sql.ref(conversation)} and ${isMeant} limit 1) is not null`
}

/** Selects the ids of an agent's conversations with a tag. */
export function idsWithTag(db: Kysely<Tables>, agentId: number, { name, value }: FilteredTag) {
  return db
    .selectFrom('conversation_tags')
    .select('conversation_id as id')
    .where('agent_id', '=', agentId)
    .where('name', '=', name)
    .where('value', '=', value)
    .orderBy('conversation_id')
}
