import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { presentUserColumns, userOfConversation } from '../../users/user-key.ts'
import { presentOutcome } from '../conversations/outcome.ts'
import { presentConversation } from '../conversations/present.ts'
import { type Priority, priorityOf } from '../conversations/priority.ts'
import type { ConversationAnswer } from '../conversations/schemas.ts'
import type { ConversationRow, MessageRow } from '../tables.ts'

/** The number of ids in one query. Both engines limit the number of parameters. */
const AT_ONCE = 500

/** Reads messages as they are now, by their ids. Messages that were erased are absent. */
export async function readMessages(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<Map<number, MessageRow>> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('messages').selectAll().where('id', 'in', part).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads conversations in the same way. */
export async function readConversations(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, ConversationRow>> {
  const rows = await inParts(ids, (part) =>
    db.selectFrom('conversations').selectAll().where('id', 'in', part).execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Reads the messages that announced a pause or a resume of the agent in some conversations.
 * @param at the time of the announcement
 */
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

/** The fields of a conversation that its team sees, but its end user's side does not. */
type InternalFields = Pick<
  ConversationRow,
  'waiting_since' | 'waiting_reason' | 'assignee_id' | 'group_id' | 'language' | 'snoozed_until'
> &
  ReturnType<typeof presentUserColumns> &
  ReturnType<typeof presentOutcome> & { priority: Priority }

/** Returns the values of a conversation's fields that changed; for a conversation that was opened, all shown fields. */
export function presentChanged(row: ConversationRow, fields: readonly string[]) {
  const shown = presentConversation(row)
  const { waiting_since, waiting_reason, assignee_id, group_id, language, snoozed_until } = row
  const user = presentUserColumns(userOfConversation(row))
  const priority = priorityOf(row)
  const internal: InternalFields = {
    waiting_since,
    waiting_reason,
    assignee_id,
    group_id,
    ...user,
    language,
    priority,
    snoozed_until,
    ...presentOutcome(row),
  }
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
