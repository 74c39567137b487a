import type { AgentRows } from '../storage/erase-rows.ts'

/** What happened to an agent. */
export const eventRows: readonly AgentRows[] = [
  { table: 'events', key: 'id' },
  { table: 'day_counters', key: 'day', isNested: true },
]
