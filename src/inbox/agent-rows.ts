import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent's bulk acts. */
export const inboxRows: readonly AgentRows[] = [
  {
    table: 'bulk_items',
    key: 'conversation_id',
    through: { column: 'bulk_id', table: 'bulk_acts', refersTo: 'id' },
  },
  { table: 'bulk_acts', key: 'id' },
]
