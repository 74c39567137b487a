import type { AgentRows } from '../storage/erase-rows.ts'

/** What an agent's model calls used. */
export const usageRows: readonly AgentRows[] = [
  { table: 'model_usage', key: 'day', isNested: true },
  { table: 'usage_shards', key: 'day', isNested: true },
  { table: 'budget_alerts', key: 'period', isNested: true },
]
