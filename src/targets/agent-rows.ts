import type { AgentRows } from '../storage/erase-rows.ts'

export const targetRows: readonly AgentRows[] = [
  { table: 'targets', key: 'id' },
  { table: 'target_clocks', key: 'id' },
  { table: 'target_recounts', key: 'id' },
]
