import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { NoteRow } from '../tables.ts'

/** Reads a page of the notes of a conversation, oldest first. */
export async function listNotes(
  db: Kysely<Tables>,
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

export type NewNote = Omit<NoteRow, 'id' | 'redacted' | 'operator_id' | 'mentions'> &
  Partial<Pick<NoteRow, 'operator_id' | 'mentions'>>

export async function insertNote(db: Kysely<Tables>, row: NewNote): Promise<NoteRow> {
  return db.insertInto('conversation_notes').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Reads notes by their ids. */
export async function selectNotes(db: Kysely<Tables>, ids: number[]): Promise<Map<number, NoteRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('conversation_notes').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
