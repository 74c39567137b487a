import type { Kysely, Selectable } from 'kysely'
import type { KnowledgeDocumentsTable, Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

export type DocumentRow = Selectable<KnowledgeDocumentsTable>

export async function selectDocument(db: Db, agentId: number, id: number): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('knowledge_documents')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
}

export async function selectDocumentsPage(
  db: Db,
  agentId: number,
  page: number,
  perPage: number,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const ofAgent = db.selectFrom('knowledge_documents').where('agent_id', '=', agentId)
  const { total } = await ofAgent
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await ofAgent
    .selectAll()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { rows, total: Number(total) }
}

export async function selectPassageTexts(
  db: Db,
  documentId: number,
): Promise<{ heading: string; text: string }[]> {
  return db
    .selectFrom('knowledge_passages')
    .select(['heading', 'text'])
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute()
}
