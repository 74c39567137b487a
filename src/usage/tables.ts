import type { Selectable } from 'kysely'
import type { CallKind } from '../model/call-kinds.ts'

/** Counts of what an agent's calls of one model used on one day, from versions before `usage_shards`. */
export interface ModelUsageTable {
  agent_id: number
  /** YYYY-MM-DD in UTC. */
  day: string
  model: string
  kind: CallKind
  calls: number
  /** Of how many calls the tokens were estimated. */
  estimated: number
  prompt_tokens: number
  completion_tokens: number
}

export type ModelUsageRow = Selectable<ModelUsageTable>
export type UsageShardRow = Selectable<UsageShardsTable>

/** The same in several rows, so that transactions that count the same rarely wait for each other. */
export interface UsageShardsTable extends ModelUsageTable {
  shard: number
}

/** A budget that was reached, which is told once. */
export interface BudgetAlertsTable {
  agent_id: number
  /** The day or the month that it was reached in, as YYYY-MM-DD or YYYY-MM. */
  period: string
  /** The budget, as a decimal number: one that is raised may be reached again. */
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
