import { type Kysely, type Selectable, sql } from 'kysely'
import { pageOfAgent, rowOfAgent } from '../../storage/rows-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TextFormat } from '../formats/read-document.ts'
import { hiddenOf } from '../hidden-passages.ts'
import { readNotes } from '../notes.ts'
import type { KnowledgeDocumentsTable } from '../tables.ts'

type Db = Kysely<Tables>

/** Selects documents without those that are being written for the first time, or removed: they have no hash. */
const documents = (db: Db) =>
  db.selectFrom('knowledge_documents').selectAll().where(sql<boolean>`content_hash <> ''`)

export type DocumentRow = Selectable<KnowledgeDocumentsTable>

export const selectDocument = rowOfAgent(documents)

export const selectDocumentsPage = pageOfAgent(documents)

/** Reads what was left out of documents. */
export async function selectNotes(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('knowledge_documents')
    .select(['id', 'notes'])
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, notes }) => [id, readNotes(notes)]))
}

/** Reads the text of a document as it was read; undefined when it was not kept. */
export async function selectText(db: Db, documentId: number): Promise<ReadText | undefined> {
  const row = await db
    .selectFrom('knowledge_texts')
    .select(['text', 'format', 'questions', 'edited_at'])
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row && { ...row, format: row.format as TextFormat, questions: JSON.parse(row.questions) }
}

interface ReadText {
  text: string
  format: TextFormat
  questions: string[]
  edited_at: string | null
}

export async function selectPassageTexts(
  db: Db,
  agentId: number,
  documentId: number,
): Promise<{ heading: string; text: string }[]> {
  return db
    .selectFrom('knowledge_passages')
    .select(['heading', 'text'])
    .where('document_id', '=', documentId)
    .where('id', 'not in', hiddenOf(db, agentId))
    .orderBy('position')
    .execute()
}
