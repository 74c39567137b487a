import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent's inbox. Those of conversations come before them. */
export const inboxRows: readonly AgentRows[] = [
  {
    table: 'bulk_items',
    key: 'conversation_id',
    through: { column: 'bulk_id', table: 'bulk_acts', refersTo: 'id' },
  },
  { table: 'bulk_acts', key: 'id' },
  { table: 'saved_views', key: 'id' },
  // The triggers that maintain the next three tables have emptied them by then, unless conversations were
  // erased without firing the triggers.
  { table: 'inbox_rows', key: 'conversation_id' },
  { table: 'inbox_counters', key: 'agent_id' },
  { table: 'inbox_group_counters', key: 'agent_id' },
]
