import type { Insertable, Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { KnowledgeTextsTable } from './tables.ts'

export async function findDocument(db: Kysely<Tables>, agentId: number, source: string) {
  return db
    .selectFrom('knowledge_documents')
    .select(['id', 'content_hash', 'notes'])
    .where('agent_id', '=', agentId)
    .where('source', '=', source)
    .executeTakeFirst()
}

/** The hash of a document that is being written for the first time or being removed. Such documents are not listed. */
export const UNLISTED = ''

/** Returns the id of the document that is about to be written. A new document gets a row that is not listed yet. */
export async function claimDocument(
  db: Kysely<Tables>,
  record: DocumentRecord,
  now: string,
): Promise<number> {
  const present = await findDocument(db, record.agent_id, record.source)
  if (present) return present.id
  return putDocument(db, { ...record, content_hash: UNLISTED }, now)
}

/** Lists the titles of an agent's first documents, with their sources. */
export async function listTitles(
  db: Kysely<Tables>,
  agentId: number,
  limit: number,
): Promise<{ title: string; source: string }[]> {
  return db
    .selectFrom('knowledge_documents')
    .select(['title', 'source'])
    .where('agent_id', '=', agentId)
    .where('content_hash', '!=', UNLISTED)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the sources of an agent's documents in their order, each with the hash of its content. */
export async function listHashes(
  db: Kysely<Tables>,
  agentId: number,
  after: string,
  limit: number,
): Promise<{ source: string; content_hash: string }[]> {
  return db
    .selectFrom('knowledge_documents')
    .select(['source', 'content_hash'])
    .where('agent_id', '=', agentId)
    .where('source', '>', after)
    .where('content_hash', '!=', UNLISTED)
    .orderBy('source')
    .limit(limit)
    .execute()
}

export interface DocumentRecord {
  agent_id: number
  source: string
  title: string
  url: string | null
  content_hash: string
  notes: string | null
}

/** Writes a document's row, which is new or replaces the one of the same source, and returns its id. */
export async function putDocument(db: Kysely<Tables>, record: DocumentRecord, now: string): Promise<number> {
  const { id } = await db
    .insertInto('knowledge_documents')
    .values({ ...record, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'source']).doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        url: ref('excluded.url'),
        content_hash: ref('excluded.content_hash'),
        notes: ref('excluded.notes'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type DocumentText = Pick<KnowledgeTextsTable, 'format' | 'text' | 'questions'>

/** Stores the text of a document in place of the previous one. */
export async function putText(db: Kysely<Tables>, row: Insertable<KnowledgeTextsTable>): Promise<void> {
  await db
    .insertInto('knowledge_texts')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('document_id').doUpdateSet(({ ref }) => ({
        format: ref('excluded.format'),
        text: ref('excluded.text'),
        questions: ref('excluded.questions'),
        edited_at: ref('excluded.edited_at'),
      })),
    )
    .execute()
}

/** Removes a document from the lists. */
export async function unlistDocument(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  now: string,
): Promise<void> {
  await db
    .updateTable('knowledge_documents')
    .set({ content_hash: UNLISTED, updated_at: now })
    .where('id', '=', documentId)
    .where('agent_id', '=', agentId)
    .execute()
}

/** Deletes a document that is not listed, unless somebody is writing it again. */
export async function deleteEmptied(db: Kysely<Tables>, agentId: number, documentId: number): Promise<void> {
  await emptied(db).where('id', '=', documentId).where('agent_id', '=', agentId).execute()
}

/** Deletes the documents that have not been listed for a long time and have no passages left. */
export async function deleteUnlisted(db: Kysely<Tables>, before: string): Promise<void> {
  await emptied(db).where('updated_at', '<', before).execute()
}

function emptied(db: Kysely<Tables>) {
  return db
    .deleteFrom('knowledge_documents')
    .where('content_hash', '=', UNLISTED)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('knowledge_passages')
            .select('id')
            .whereRef('knowledge_passages.document_id', '=', 'knowledge_documents.id'),
        ),
      ),
    )
}
