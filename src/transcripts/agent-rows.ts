import type { AgentRows } from '../storage/erase-rows.ts'

/** What is kept of an agent's conversations; what refers to other rows goes before them. */
export const transcriptRows: readonly AgentRows[] = [
  { table: 'evaluations', key: 'id' },
  { table: 'conversation_notes', key: 'id' },
  { table: 'messages', key: 'id' },
  { table: 'completions', key: 'number' },
  { table: 'conversations', key: 'id' },
  { table: 'users', key: 'id', isNested: true },
  { table: 'devices', key: 'id', isNested: true },
  { table: 'sessions', key: 'id', isNested: true },
  { table: 'agent_counters', key: 'agent_id' },
]
