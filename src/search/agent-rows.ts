import type { AgentRows } from '../storage/erase-rows.ts'

/** The tables of an agent's search index; those that refer to others stand before them. */
export const searchRows: readonly AgentRows[] = [
  { table: 'search_pending', key: 'id', isNested: true },
  {
    table: 'search_words',
    key: 'block_id',
    through: { column: 'block_id', table: 'search_blocks', refersTo: 'id' },
  },
  { table: 'search_parts', key: 'block_id' },
  { table: 'search_blocks', key: 'id' },
]
