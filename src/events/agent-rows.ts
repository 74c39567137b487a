import type { AgentRows } from '../storage/erase-rows.ts'

/** The events and changes of an agent, and its subscriptions. */
export const eventRows: readonly AgentRows[] = [
  { table: 'events', key: 'id' },
  { table: 'notification_keys', key: 'key', isNested: true },
  { table: 'changes', key: 'id' },
  { table: 'quarter_counters', key: 'day', isNested: true },
  { table: 'day_counters', key: 'day', isNested: true },
  { table: 'recounted_counts', key: 'day', isNested: true },
]
