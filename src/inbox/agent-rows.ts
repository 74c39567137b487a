import type { AgentRows } from '../storage/erase-rows.ts'

/** What is under way for many conversations of an agent. */
export const inboxRows: readonly AgentRows[] = [
  {
    table: 'bulk_items',
    key: 'conversation_id',
    through: { column: 'bulk_id', table: 'bulk_acts', refersTo: 'id' },
  },
  { table: 'bulk_acts', key: 'id' },
]
