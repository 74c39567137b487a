import type { Selectable } from 'kysely'
import type { CallKind } from '../model/call-kinds.ts'

/** Token counts of an agent's calls of one model on one day, from versions before `usage_shards`. */
export interface ModelUsageTable {
  agent_id: number
  /** The day in UTC, as YYYY-MM-DD. */
  day: string
  model: string
  kind: CallKind
  calls: number
  /** The number of calls whose tokens were estimated. */
  estimated: number
  prompt_tokens: number
  completion_tokens: number
}

export type ModelUsageRow = Selectable<ModelUsageTable>
export type UsageShardRow = Selectable<UsageShardsTable>

/** The same counts spread over several rows, so that transactions rarely wait for the same row. */
export interface UsageShardsTable extends ModelUsageTable {
  shard: number
}

/** Budgets that were reached, so that each is reported once. */
export interface BudgetAlertsTable {
  agent_id: number
  /** The day or month in which it was reached, as YYYY-MM-DD or YYYY-MM. */
  period: string
  /** The budget as a decimal number, and a digest of the prices: with others it may be reached again. */
  amount: string
  at: string
}

declare module '../storage/tables.ts' {
  interface Tables {
    model_usage: ModelUsageTable
    usage_shards: UsageShardsTable
    budget_alerts: BudgetAlertsTable
  }
}
