import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { NoteRow } from '../tables.ts'

type Db = Kysely<Tables>

/** Reads a page of the notes of a conversation, oldest first. */
export async function listNotes(
  db: Db,
  conversationId: string,
  request: PageRequest,
): Promise<Page<NoteRow>> {
  const query = db.selectFrom('conversation_notes').selectAll()
  return selectPage(
    db,
    { query, of: { conversation_id: conversationId }, key: ['id'], order: 'asc' },
    request,
  )
}

/** Returns a query for the conversations of notes. */
export function conversationsOfNotes(db: Db, ids: readonly number[]) {
  return db.selectFrom('conversation_notes').select('conversation_id').distinct().where('id', 'in', ids)
}

export type NewNote = Omit<NoteRow, 'id' | 'redacted' | 'operator_id' | 'mentions'> &
  Partial<Pick<NoteRow, 'operator_id' | 'mentions'>>

export async function insertNote(db: Db, row: NewNote): Promise<NoteRow> {
  return db.insertInto('conversation_notes').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Reads notes of an agent by their ids. */
export async function selectNotes(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<Map<number, NoteRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('conversation_notes')
    .selectAll()
    .where('id', 'in', ids)
    .where('agent_id', '=', agentId)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the ids of a conversation's newest notes, newest first. */
export async function newestNotes(
  db: Db,
  agentId: number,
  conversationId: string,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('conversation_notes')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the notes of all agents with ids above one and up to another. */
export async function notesBetween(db: Db, above: number, upTo: number) {
  return db
    .selectFrom('conversation_notes')
    .select(['agent_id', 'id'])
    .where('id', '>', above)
    .where('id', '<=', upTo)
    .execute()
}
