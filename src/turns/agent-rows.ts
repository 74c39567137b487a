import type { AgentRows } from '../storage/erase-rows.ts'

export const turnRows: readonly AgentRows[] = [
  { table: 'tool_calls', key: 'id' },
  { table: 'conversation_summaries', key: 'id' },
]
