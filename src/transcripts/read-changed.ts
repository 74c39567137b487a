import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { presentConversation } from './conversations/present.ts'
import type { ConversationAnswer } from './conversations/schemas.ts'
import type { ConversationRow, MessageRow } from './tables.ts'
import { presentUserColumns, userOfConversation } from './users/user-key.ts'

/** Neither engine takes any number of parameters. */
const AT_ONCE = 500

/** Messages as they are now, by their ids; what was erased is absent. */
export async function readMessages(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<Map<number, MessageRow>> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('messages').selectAll().where('id', 'in', part).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The same for conversations. */
export async function readConversations(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, ConversationRow>> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('conversations').selectAll().where('id', 'in', part).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What was said in some conversations when a pause of the agent, or its end, was said everywhere. @param at its time */
export async function readSaidEverywhere(
  db: Kysely<Tables>,
  conversationIds: readonly string[],
  at: string,
): Promise<MessageRow[]> {
  return inParts(conversationIds, (part) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', 'in', part)
      .where('role', '=', 'transition')
      .where('completion_id', 'is', null)
      .where('created_at', '=', at)
      .orderBy('id')
      .execute(),
  )
}

async function inParts<Id, Row>(ids: readonly Id[], read: (part: Id[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE)
    rows.push(...(await read(ids.slice(from, from + AT_ONCE))))
  return rows
}

/** What a team sees of a conversation beside what its end user's side may see. */
export type InternalFields = Pick<
  ConversationRow,
  'waiting_since' | 'waiting_reason' | 'assignee_id' | 'language'
> &
  ReturnType<typeof presentUserColumns>

/** The values of a conversation's fields that changed; all that a conversation is read with when it was opened. */
export function presentChanged(row: ConversationRow, fields: readonly string[]) {
  const shown = presentConversation(row)
  const { waiting_since, waiting_reason, assignee_id, language } = row
  const user = presentUserColumns(userOfConversation(row))
  const internal: InternalFields = { waiting_since, waiting_reason, assignee_id, ...user, language }
  const isOpened = fields.includes('started_at')
  return {
    shown: isOpened ? shown : some<ConversationAnswer>(shown, fields),
    internal: some<InternalFields>(internal, fields),
  }
}

function some<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  const entries = Object.entries(values).filter(([name]) => names.includes(name))
  return Object.fromEntries(entries) as Partial<Values>
}
