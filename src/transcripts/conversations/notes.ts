import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { NoteRow } from '../tables.ts'

/** Adds a note for operators to a conversation. */
export async function addNote(db: Kysely<Tables>, row: Omit<NoteRow, 'id'>): Promise<void> {
  await db.insertInto('conversation_notes').values(row).execute()
}

/** A page of the notes of a conversation, oldest first. */
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
