import type { AgentRows } from '../storage/erase-rows.ts'

/** The tables of an agent's knowledge. */
export const knowledgeRows: readonly AgentRows[] = [
  { table: 'knowledge_words', key: 'passage_id' },
  { table: 'knowledge_vocabulary', key: 'word', isNested: true },
  { table: 'knowledge_hidden', key: 'passage_id', isNested: true },
  { table: 'knowledge_vectors', key: 'id' },
  { table: 'knowledge_embeddings', key: 'id' },
  { table: 'knowledge_calibrations', key: 'id' },
  { table: 'knowledge_passages', key: 'id' },
  { table: 'knowledge_pages', key: 'id' },
  { table: 'knowledge_imports', key: 'id' },
  { table: 'knowledge_failures', key: 'source', isNested: true },
  { table: 'unanswered_notes', key: 'id' },
  { table: 'unanswered_questions', key: 'id' },
  { table: 'knowledge_texts', key: 'document_id' },
  { table: 'knowledge_documents', key: 'id' },
  { table: 'knowledge_totals', key: 'agent_id' },
]
