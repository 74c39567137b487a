import type { Generated } from 'kysely'
import type { WorkColumns } from '../work/work-columns.ts'

/** An entry that is proposed, or that was accepted. It is being made as long as it has no question. */
export interface KnowledgeProposalsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** The conversation from which it is made. */
  conversation_id: string
  /** The completion of the question. */
  completion_id: string
  question: string | null
  answer: string | null
  /** JSON: a list of other ways to ask. */
  questions: string | null
  /** The document that it became; null: nobody has accepted it yet. Its texts are the document's then. */
  document_id: number | null
  created_at: string
  updated_at: string
  /** The due time of making it, or of removing its document; null: there is nothing to do. */
  due_at: string | null
}

declare module '../storage/tables.ts' {
  interface Tables {
    knowledge_proposals: KnowledgeProposalsTable
  }
}
