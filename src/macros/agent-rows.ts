import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent's macros, and of what they did. */
export const macroRows: readonly AgentRows[] = [
  { table: 'macro_runs', key: 'id' },
  { table: 'macros', key: 'id' },
]
