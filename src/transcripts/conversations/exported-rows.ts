import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { ConversationRow } from '../tables.ts'

type Db = Kysely<Tables>

/** Reads conversations of an agent by number: those above one number and up to another, in order. */
export async function conversationsBetween(
  db: Db,
  agentId: number,
  above: number,
  upTo: number,
  limit: number,
): Promise<ConversationRow[]> {
  return conversationsAbove(db, agentId, above, limit).where('sequence', '<=', upTo).execute()
}

/** Reads conversations of an end user above a number, in order. */
export async function conversationsOfUserAbove(
  db: Db,
  agentId: number,
  userKey: UserKey,
  above: number,
  limit: number,
): Promise<ConversationRow[]> {
  return conversationsAbove(db, agentId, above, limit).where('user_id', '=', userKey).execute()
}

function conversationsAbove(db: Db, agentId: number, above: number, limit: number) {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('sequence', '>', above)
    .orderBy('sequence')
    .limit(limit)
}

/**
 * Counts an agent's conversations that started before a time; null: all. Numbers follow times, so that few rows are
 * read.
 */
export async function countStartedBefore(db: Db, agentId: number, time: string | null): Promise<number> {
  const counter = await db
    .selectFrom('agent_counters')
    .select('conversations')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const all = counter?.conversations ?? 0
  if (time === null) return all
  let least = 0
  let most = all
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    const row = await db
      .selectFrom('conversations')
      .select('started_at')
      .where('agent_id', '=', agentId)
      .where('sequence', '=', middle)
      .executeTakeFirst()
    if (row && row.started_at < time) least = middle
    else most = middle - 1
  }
  return least
}

/**
 * The tables that are exported with conversations, and the column that orders the rows of each within a conversation.
 */
const keys = {
  completions: 'number',
  messages: 'id',
  conversation_notes: 'id',
  ratings: 'id',
  conversation_summaries: 'id',
} as const

export type ExportedTable = keyof typeof keys

export const exportedTables = Object.keys(keys) as ExportedTable[]

export type RowOf<Table extends ExportedTable> = Selectable<Tables[Table]> & { conversation_id: string }

/** Reads at most `limit` rows of a table that belong to some conversations, in any order. */
export async function rowsOf<Table extends ExportedTable>(
  db: Db,
  table: Table,
  conversationIds: readonly string[],
  limit: number,
): Promise<RowOf<Table>[]> {
  const { rows } = await sql<RowOf<Table>>`
    select * from ${sql.table(table)} where conversation_id in (${sql.join(conversationIds)})
    limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Reads rows of a table that belong to a conversation and are above a key, in order. */
export async function rowsAbove<Table extends ExportedTable>(
  db: Db,
  table: Table,
  conversationId: string,
  above: number,
  limit: number,
): Promise<RowOf<Table>[]> {
  const key = sql.ref(keys[table])
  const { rows } = await sql<RowOf<Table>>`
    select * from ${sql.table(table)} where conversation_id = ${conversationId} and ${key} > ${above}
    order by ${key} limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Returns the key that orders a row within its conversation. */
export function keyOf(table: ExportedTable, row: object): number {
  return Number(Reflect.get(row, keys[table]))
}

/** Reads completions of an end user in conversations of others, above a number, in order. */
export async function completionsElsewhere(
  db: Db,
  agentId: number,
  userKey: UserKey,
  above: number,
  limit: number,
): Promise<RowOf<'completions'>[]> {
  return db
    .selectFrom('completions')
    .innerJoin('conversations', 'conversations.id', 'completions.conversation_id')
    .selectAll('completions')
    .where('completions.agent_id', '=', agentId)
    .where('completions.user_id', '=', userKey)
    .where('completions.number', '>', above)
    .where((where) =>
      where.or([where('conversations.user_id', 'is', null), where('conversations.user_id', '!=', userKey)]),
    )
    .orderBy('completions.number')
    .limit(limit)
    .execute()
}
