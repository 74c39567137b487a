import type { AgentRows } from '../storage/erase-rows.ts'

/** The tables that count the tokens of an agent's model calls. */
export const usageRows: readonly AgentRows[] = [
  { table: 'model_usage', key: 'day', isNested: true },
  { table: 'usage_shards', key: 'day', isNested: true },
  { table: 'budget_alerts', key: 'period', isNested: true },
]
