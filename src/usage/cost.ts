import type { AgentSettings } from '../agents/settings.ts'
import type { ModelUsageRow } from './tables.ts'

type Prices = AgentSettings['prices']
type Priced = Pick<ModelUsageRow, 'model' | 'prompt_tokens' | 'completion_tokens'>

/** Returns the cost of calls by the agent's prices, which are per million tokens; null if the model has no price. */
export function costOf({ model, prompt_tokens, completion_tokens }: Priced, prices: Prices): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  if (!price) return null
  return (prompt_tokens * price.input + completion_tokens * price.output) / 1e6
}

/** Returns the total cost of the calls whose models have a price. */
export function totalCost(rows: readonly Priced[], prices: Prices): number {
  return rows.reduce((sum, row) => sum + (costOf(row, prices) ?? 0), 0)
}
