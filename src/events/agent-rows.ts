import type { AgentRows } from '../storage/erase-rows.ts'

/** What happened to an agent, and who listens for it. */
export const eventRows: readonly AgentRows[] = [
  { table: 'events', key: 'id' },
  { table: 'notification_keys', key: 'key', isNested: true },
  { table: 'changes', key: 'id' },
  { table: 'quarter_counters', key: 'day', isNested: true },
  { table: 'day_counters', key: 'day', isNested: true },
]
