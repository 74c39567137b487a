import type { AgentRows } from '../storage/erase-rows.ts'

export const deskRows: readonly AgentRows[] = [
  { table: 'conversation_notes', key: 'id' },
  { table: 'drafts', key: 'conversation_id' },
  { table: 'handoff_summaries', key: 'id' },
  { table: 'message_translations', key: 'id' },
  { table: 'read_marks', key: 'conversation_id' },
  { table: 'snoozes', key: 'id' },
]
