import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent's conversations. Rows that refer to others are erased before those. */
export const transcriptRows: readonly AgentRows[] = [
  { table: 'evaluations', key: 'id' },
  { table: 'ratings', key: 'id' },
  { table: 'rating_requests', key: 'conversation_id' },
  { table: 'happenings', key: 'id' },
  { table: 'away_messages', key: 'id' },
  { table: 'silences', key: 'id' },
  { table: 'conversation_keys', key: 'conversation_id' },
  { table: 'messages', key: 'id' },
  { table: 'completions', key: 'number' },
  { table: 'conversation_tags', key: 'conversation_id' },
  { table: 'conversations', key: 'id' },
  { table: 'agent_counters', key: 'agent_id' },
]
