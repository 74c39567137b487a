import type { ColumnType, Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../work/work-columns.ts'

export interface KnowledgeDocumentsTable {
  id: Generated<number>
  agent_id: number
  /** Identifies the document across versions: a path, an address or an id; its title when none is given. */
  source: string
  title: string
  url: string | null
  /** Hash of everything that was given, so that an unchanged document is not cut and indexed again. */
  content_hash: string
  created_at: string
  updated_at: string
}

/** The text of a document as it was read. Documents that were last added before texts were kept have none. */
export interface KnowledgeTextsTable {
  document_id: number
  agent_id: number
  /** How `text` is to be read: a page of HTML was turned into Markdown. */
  format: string
  text: string
  /** JSON: a list of other ways to ask for the document. */
  questions: string
  /** When somebody edited it; null: it is as it was added. */
  edited_at: string | null
}

export interface KnowledgePassagesTable {
  id: Generated<number>
  agent_id: number
  document_id: number
  /** Order within the document. */
  position: number
  /** The headings above it, outermost first. */
  heading: string
  /** Fragment of the document's address, such as `redaction`. */
  anchor: string
  text: string
  /** How many of its words are indexed. */
  length: number
}

/** The index: which passages contain a word, and how much it weighs there. */
export interface KnowledgeWordsTable {
  agent_id: number
  word: string
  passage_id: number
  count: number
  /** The passage's length, repeated here so that a search reads only the index. */
  length: number
}

/** How many passages of an agent contain each word. Words that no passage contains have no row. */
export interface KnowledgeVocabularyTable {
  agent_id: number
  word: string
  passages: number
}

/** One row per agent that has documents: the sums that the ranking needs. */
export interface KnowledgeTotalsTable {
  agent_id: number
  passages: number
  words: number
}

/** Passages that no search finds: those of a document that is being written, and those that are being removed. */
export interface KnowledgeHiddenTable {
  agent_id: number
  passage_id: number
  /** Identifies one writing or one removal of a document. */
  edition: string
  hidden_at: string
}

/** A passage as a vector of length 1, to be compared with those of questions. */
export interface KnowledgeVectorsTable {
  id: Generated<number>
  agent_id: number
  passage_id: number
  model: string
  dimension: number
  /** Four bytes a number, the least significant first; empty: the server takes no text like that of the passage. */
  vector: Uint8Array
}

/** How far the vectors of an agent's passages are made. There is one row per agent that ever had documents. */
export interface KnowledgeEmbeddingsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** Rises whenever passages change. */
  changes: number
  /** The value of `changes` up to which all passages have vectors. */
  embedded_changes: Generated<number>
  /** What the vectors that serve were made with; null: there are none yet. */
  model: string | null
  dimension: number | null
  /** A hash of the address of the server that made them. */
  server: string | null
  /** What takes their place once it is complete. */
  next_model: string | null
  next_dimension: number | null
  /** How like a question passages are that do not answer it; see `calibrate`. Null: too few were there to tell. */
  unlike: number | null
  /** How many passages there were when `unlike` was measured. */
  compared: Generated<number>
  /** How many passages the server did not take. */
  skipped: Generated<number>
  /** How many tokens the server has counted so far. */
  tokens: Generated<number>
  error: string | null
  failed_at: string | null
  updated_at: string | null
  attempts: Generated<number>
  /** Null: there is nothing to do. */
  due_at: string | null
  lease: Generated<number>
  leased_until: string | null
  holder: ColumnType<string | null, string | null | undefined, string | null>
}

export type KnowledgeEmbeddingsRow = Selectable<KnowledgeEmbeddingsTable>

/** The confidence that answers need, measured on an agent's passages. There is one row per agent that ever had documents. */
export interface KnowledgeCalibrationsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** Rises whenever passages change. */
  changes: number
  /** Null: there are too few entries to tell, or nothing was measured yet. */
  threshold: number | null
  /** How many entries `threshold` was measured on. */
  asked: Generated<number>
  /** The value of `changes` for which it was measured. */
  measured_changes: Generated<number>
  measured_at: string | null
  attempts: Generated<number>
  /** Null: there is nothing to do. */
  due_at: string | null
  lease: Generated<number>
  leased_until: string | null
  holder: ColumnType<string | null, string | null | undefined, string | null>
}

export type KnowledgeCalibrationsRow = Selectable<KnowledgeCalibrationsTable>

/** A source that could not be read. */
export interface KnowledgeFailuresTable {
  agent_id: number
  source: string
  /** Hash of what was given: once it is another, the source is read again. */
  content_hash: string
  reason: string
  failed_at: string
}

/** A question that the agent had no answer to, and how often it was asked. Its text stands in its completion alone. */
export interface UnansweredQuestionsTable {
  id: Generated<number>
  agent_id: number
  /** A keyed hash of its words, from which they cannot be guessed. */
  words_hash: string
  count: number
  first_asked_at: string
  last_asked_at: string
  /** Where it was asked last. */
  conversation_id: string
  completion_id: string
}

declare module '../storage/tables.ts' {
  interface Tables {
    knowledge_documents: KnowledgeDocumentsTable
    knowledge_texts: KnowledgeTextsTable
    knowledge_passages: KnowledgePassagesTable
    knowledge_words: KnowledgeWordsTable
    knowledge_vocabulary: KnowledgeVocabularyTable
    knowledge_totals: KnowledgeTotalsTable
    knowledge_hidden: KnowledgeHiddenTable
    knowledge_failures: KnowledgeFailuresTable
    knowledge_vectors: KnowledgeVectorsTable
    knowledge_embeddings: KnowledgeEmbeddingsTable
    knowledge_calibrations: KnowledgeCalibrationsTable
    unanswered_questions: UnansweredQuestionsTable
  }
}
