import type { AgentRows } from '../../storage/erase-rows.ts'

/** The figures of support and what they count. They go after the conversations, the last of which changes them. */
export const supportRows: readonly AgentRows[] = [
  { table: 'support_pending', key: 'id', isNested: true },
  { table: 'support_retries', key: 'id', isNested: true },
  { table: 'support_rows', key: 'conversation_id' },
  { table: 'support_counts', key: 'day', isNested: true },
]
