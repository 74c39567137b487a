import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import type { WorkColumns } from '../work/work-columns.ts'

/** Notes that people and automations leave for people. */
export interface ConversationNotesTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** The latest completion when the note was written; null: the conversation had none. */
  completion_id: string | null
  text: string
  /** The name of the person, the token or the automation. */
  author: string
  /** The person who wrote it. */
  operator_id: Generated<number | null>
  /** JSON array of the people it mentions, `{"id","name"}`; null: nobody. */
  mentions: Generated<string | null>
  /** The way in which a note without a completion was redacted. Other notes are redacted with their completion. */
  redacted: Generated<RedactionMode | null>
  created_at: string
}

/** Drafts of people in conversations. A row stays when its draft is sent, so that its version continues. */
export interface DraftsTable {
  agent_id: number
  conversation_id: string
  operator_id: number
  mode: 'reply' | 'note'
  /** Null: it was sent, deleted or forgotten. */
  content: string | null
  /** 1: a model suggested it, whatever the person has changed since. */
  suggested: Generated<Flag | null>
  /** The person's own words, if this is a translation of them. */
  original: Generated<string | null>
  /** Counts the changes. */
  version: number
  updated_at: string
}

/** The last message that an operator has read in a conversation. */
export interface ReadMarksTable {
  conversation_id: string
  operator_id: number
  agent_id: number
  message_id: number
}

/** The returns of conversations that are put aside. One that has come back before keeps its row until its time. */
export interface SnoozesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  due_at: string | null
}

/** Summaries of conversations for the people who take them over. */
export interface HandoffSummariesTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** Null: it was forgotten, or is not written yet. */
  content: string | null
  /** The id of the newest message that it covers. */
  covered_id: Generated<number>
  /** Rises when it is forgotten, so that one that is being written is not kept. */
  version: Generated<number>
  written_at: string | null
}

/** Messages in other languages: as a model translated them, or as their writer had written them before. */
export interface MessageTranslationsTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  message_id: number
  /** The language's tag; `und` if it could not be determined. */
  language: string
  content: string
  /** 1: these are the writer's own words, of which the message is the translation. */
  is_original: Generated<Flag>
  created_at: string
}

export type NoteRow = Selectable<ConversationNotesTable>
export type DraftRow = Selectable<DraftsTable>
export type SnoozeRow = Selectable<SnoozesTable>
export type HandoffSummaryRow = Selectable<HandoffSummariesTable>
export type TranslationRow = Selectable<MessageTranslationsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    conversation_notes: ConversationNotesTable
    drafts: DraftsTable
    handoff_summaries: HandoffSummariesTable
    message_translations: MessageTranslationsTable
    read_marks: ReadMarksTable
    snoozes: SnoozesTable
  }
}
