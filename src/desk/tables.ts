import type { Generated, Selectable } from 'kysely'
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
  attempts: Generated<number>
  lease: Generated<number>
  leased_until: string | null
  holder: Generated<string | null>
}

export type NoteRow = Selectable<ConversationNotesTable>
export type DraftRow = Selectable<DraftsTable>
export type SnoozeRow = Selectable<SnoozesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    conversation_notes: ConversationNotesTable
    drafts: DraftsTable
    read_marks: ReadMarksTable
    snoozes: SnoozesTable
  }
}
