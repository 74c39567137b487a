import type { Generated, Selectable } from 'kysely'
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
  /** JSON: what was left out of it, in words for people. Null: nothing. */
  notes: string | null
  created_at: string
  updated_at: string
}

/** The text of a document as it was read. Documents that were last added before texts were kept have none. */
export interface KnowledgeTextsTable {
  document_id: number
  agent_id: number
  /** The format in which to read `text`: an HTML page was turned into Markdown. */
  format: string
  text: string
  /** JSON: a list of other ways to ask for the document. */
  questions: string
  /** The time at which somebody edited it; null: it is as it was added. */
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
  /** The number of its words that are indexed. */
  length: number
}

/** The index: the passages that contain a word, and how much it weighs there. */
export interface KnowledgeWordsTable {
  agent_id: number
  word: string
  passage_id: number
  count: number
  /** The passage's length, repeated here so that a search reads only the index. */
  length: number
}

/** The number of an agent's passages that contain each word. Words that no passage contains have no row. */
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
  /** Four bytes for each number, the least significant first; empty: the server refuses the text of the passage. */
  vector: Uint8Array
}

/** The progress of the vectors of an agent's passages. There is one row per agent that ever had documents. */
export interface KnowledgeEmbeddingsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** Rises whenever passages change. */
  changes: number
  /** The value of `changes` up to which all passages have vectors. */
  embedded_changes: Generated<number>
  /** The model of the vectors that serve searches now; null: there are none yet. */
  model: string | null
  dimension: number | null
  /** A hash of the address of the server that made them. */
  server: string | null
  /** The model whose vectors take their place once they are complete. */
  next_model: string | null
  next_dimension: number | null
  /** The similarity to a question of passages that do not answer it; see `measureUnlike`. Null: too few to tell. */
  unlike: number | null
  /** The number of passages when `unlike` was measured. */
  compared: Generated<number>
  /** The number of passages that the server refused. */
  skipped: Generated<number>
  /** The number of tokens that the server has counted so far. */
  tokens: Generated<number>
  error: string | null
  failed_at: string | null
  updated_at: string | null
  /** The due time; null: there is nothing to do. */
  due_at: string | null
}

export type KnowledgeEmbeddingsRow = Selectable<KnowledgeEmbeddingsTable>

/** The confidence that answers need, measured on an agent's passages. There is one row per agent that ever had documents. */
export interface KnowledgeCalibrationsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** Rises whenever passages change. */
  changes: number
  /** The confidence; null: there are too few entries to tell, or nothing was measured yet. */
  threshold: number | null
  /** The number of entries on which `threshold` was measured. */
  asked: Generated<number>
  /** The value of `changes` for which the threshold was measured. */
  measured_changes: Generated<number>
  measured_at: string | null
  /** The due time; null: there is nothing to do. */
  due_at: string | null
}

export type KnowledgeCalibrationsRow = Selectable<KnowledgeCalibrationsTable>

/** A source that could not be read. */
export interface KnowledgeFailuresTable {
  agent_id: number
  source: string
  /** Hash of what was given: when it differs, the source is read again. */
  content_hash: string
  reason: string
  failed_at: string
}

/**
 * Questions of nearly the same words to which the agent had no good answer, and how often they were asked. Their texts
 * are stored only in the completions.
 */
export interface UnansweredQuestionsTable {
  id: Generated<number>
  agent_id: number
  /** A keyed hash of the words of the first question. */
  words_hash: string
  /** The same words, each hashed by itself; see `Wording`. Null: from before questions were compared. */
  words: string | null
  count: number
  /** The number of questions that do not have the reason `unknown`. */
  others: Generated<number>
  no_passage: Generated<number>
  uncited: Generated<number>
  disliked: Generated<number>
  handed_off: Generated<number>
  first_asked_at: string
  last_asked_at: string
  /** The conversation in which it was last asked. */
  conversation_id: string
  completion_id: string
}

/** A prompt to which the agent had no good answer. */
export interface UnansweredNotesTable {
  id: Generated<number>
  agent_id: number
  /** The group of its question; null: that was dismissed. */
  question_id: number | null
  conversation_id: string
  completion_id: string
  /** The reasons, a bit each; see `gapReasons`. */
  reasons: number
  asked_at: string
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
    unanswered_notes: UnansweredNotesTable
  }
}
