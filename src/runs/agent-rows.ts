import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's datasets and test runs. */
export const testRows: readonly AgentRows[] = [
  { table: 'case_texts', key: 'id' },
  { table: 'test_results', key: 'id' },
  { table: 'test_runs', key: 'id' },
  { table: 'dataset_cases', key: 'id' },
  { table: 'datasets', key: 'id' },
]
