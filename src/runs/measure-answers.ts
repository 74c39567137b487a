import type { AgentSettings } from '../agents/settings.ts'
import type { TriedAnswer } from '../turns/try/tried-answer.ts'
import { costOf } from '../usage/cost.ts'
import type { UsedTokens } from '../usage/used-tokens.ts'
import type { Expectation } from './case.ts'
import { rankAmong } from './check-answer.ts'

/** The usage of some model calls. */
interface Used {
  calls: number
  prompt_tokens: number
  completion_tokens: number
  /** By the prices of the run's settings; null: no model that was called has a price. */
  cost: number | null
  /** True if a server did not report the tokens of a call, so that they were estimated. */
  estimated: boolean
}

/** The numbers of a case in one repeat of a run. */
export interface Measured extends Used {
  /** The usage of the model that played the customer; null: none did. */
  customer: Used | null
  /** The number of answers. */
  turns: number
  /** The place of each page that the case expects to be found; null for a page that was not. */
  ranks: (number | null)[]
  /** True if the documents were not those with which the run began. */
  documents_changed: boolean
}

type Prices = AgentSettings['prices']

/** Measures the answers of a case. @param used by all model calls that were made for it */
export function measureAnswers(
  answers: readonly TriedAnswer[],
  expectations: readonly Expectation[],
  used: readonly UsedTokens[],
  prices: Prices,
): Omit<Measured, 'documents_changed'> {
  const ofCustomer = used.filter(({ kind }) => kind === 'customer')
  const ofAgent = used.filter(({ kind }) => kind !== 'customer')
  return {
    ...addUp(ofAgent.map((one) => usedBy(one, prices))),
    customer: ofCustomer.length === 0 ? null : addUp(ofCustomer.map((one) => usedBy(one, prices))),
    turns: answers.length,
    ranks: expectations.flatMap((one) => (one.kind === 'finds' ? [rankAmong(one, answers)] : [])),
  }
}

function usedBy({ model, promptTokens, completionTokens, isEstimated }: UsedTokens, prices: Prices): Used {
  const tokens = { prompt_tokens: promptTokens, completion_tokens: completionTokens }
  return { calls: 1, ...tokens, cost: costOf({ model, ...tokens }, prices), estimated: isEstimated }
}

/** Adds up usage. Calls without a price cost nothing beside others; without any call, there is no cost. */
export function addUp(all: readonly Used[]): Used {
  const sum = (of: (one: Used) => number) => all.reduce((total, one) => total + of(one), 0)
  const hasCost = all.every(({ calls }) => calls === 0) || all.some(({ cost }) => cost !== null)
  return {
    calls: sum(({ calls }) => calls),
    prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sum(({ completion_tokens }) => completion_tokens),
    cost: hasCost ? roundedCost(sum(({ cost }) => cost ?? 0)) : null,
    estimated: all.some(({ estimated }) => estimated),
  }
}

/** Rounds a sum of costs to the precision of the prices of single tokens. */
function roundedCost(cost: number): number {
  return Number(cost.toPrecision(12))
}
