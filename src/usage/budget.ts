import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { raise } from '../events/raise.ts'
import type { Clock } from '../lib/clock.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { totalCost } from './cost.ts'
import type { UsageMeter } from './meter.ts'
import { insertAlert, selectUsage, selectUsageOf } from './store.ts'

/** The agent, conversation and completion for which a budget is checked. */
interface Place {
  agent: Agent
  /** The conversation; absent for a prompt that is only tried. */
  conversationId?: string
  completionId?: string | null
}

/**
 * Tells whether an agent has used up its budget of the day or the month. The first time, it raises an `error` event.
 */
export type IsSpent = (place: Place) => Promise<boolean>

/** The cost of an agent's model calls in a period, and what is left of its budget; null when it has none. */
interface Cost {
  agentId: number
  period: 'day' | 'month'
  cost: number
  left: number | null
}

/** Sums the stored costs of agents on the day and in the month of a time. */
export async function costsOf(db: Kysely<Tables>, agents: readonly Agent[], now: string): Promise<Cost[]> {
  const day = now.slice(0, 10)
  const used = await selectUsageOf(
    db,
    agents.map(({ id }) => id),
    { from: `${now.slice(0, 7)}-01`, to: day },
  )
  const usedBy = Map.groupBy(used, ({ agent_id }) => agent_id)
  return agents.flatMap(({ id: agentId, settings: { prices, budget } }) =>
    (['day', 'month'] as const).map((period): Cost => {
      const all = usedBy.get(agentId) ?? []
      const rows = period === 'month' ? all : all.filter((row) => row.day === day)
      const cost = totalCost(rows, prices)
      const amount = budget?.[period]
      return { agentId, period, cost, left: amount === undefined ? null : Math.max(0, amount - cost) }
    }),
  )
}

/**
 * Checks budgets against the stored counts and those this process has yet to store, so that replicas see each other's
 * calls.
 */
export function checksBudgets(db: Kysely<Tables>, meter: UsageMeter, clock: Clock): IsSpent {
  return async ({ agent, conversationId, completionId }) => {
    const { budget, prices } = agent.settings
    if (budget === null) return false
    const now = timestamp(clock())
    const day = now.slice(0, 10)
    const month = now.slice(0, 7)
    // Taken before the read: counts stored in between are then counted twice rather than missed.
    const unstored = meter.unstored(agent.id)
    const from = budget.month === undefined ? day : `${month}-01`
    const rows = [...unstored, ...(await selectUsage(db, { agent_id: agent.id, from, to: day }))]
    for (const [period, amount] of [
      [day, budget.day],
      [month, budget.month],
    ] as const) {
      if (amount === undefined) continue
      const inPeriod = rows.filter((row) => row.day.startsWith(period))
      if (totalCost(inPeriod, prices) < amount) continue
      await db.transaction().execute(async (db) => {
        const alert = { agent_id: agent.id, period, amount: `${amount} ${digestOf(prices)}`, at: now }
        if (!(await insertAlert(db, alert))) return
        await raise(db, {
          key: 'error',
          agent_id: agent.id,
          occurred_at: now,
          ...(conversationId === undefined ? {} : { conversation_id: conversationId }),
          ...(completionId ? { completion_id: completionId } : {}),
          data: { code: 'budget_reached', reason: period === day ? 'day' : 'month' },
        })
      })
      return true
    }
    return false
  }
}

/** Identifies prices: at others, a budget that was reached may not be spent, and may be reached again. */
function digestOf(prices: Agent['settings']['prices']): string {
  return createHash('sha256').update(JSON.stringify(prices)).digest('base64url').slice(0, 16)
}
