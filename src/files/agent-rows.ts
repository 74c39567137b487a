import type { AgentRows } from '../storage/erase-rows.ts'

/** The tables of an agent's files. `removeFilesOf` empties the last two first, a few bytes at a time. */
export const fileRows: readonly AgentRows[] = [
  { table: 'file_fetches', key: 'id', isNested: true },
  { table: 'file_pieces', key: 'file_id', isNested: true },
  { table: 'files', key: 'id', isNested: true },
]
