import type { AgentSettings } from '../agents/settings.ts'
import type { ModelUsageRow } from './tables.ts'

type Prices = AgentSettings['prices']

/** What calls cost by the agent's prices, which are for a million tokens; null: the model has none. */
export function costOf(
  { model, prompt_tokens, completion_tokens }: ModelUsageRow,
  prices: Prices,
): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  if (!price) return null
  return (prompt_tokens * price.input + completion_tokens * price.output) / 1e6
}

/** What all calls cost whose models have a price. */
export function totalCost(rows: readonly ModelUsageRow[], prices: Prices): number {
  return rows.reduce((sum, row) => sum + (costOf(row, prices) ?? 0), 0)
}
