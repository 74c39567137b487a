import type { Agent } from '../agents/agent.ts'
import { factsOf, withFacts } from '../conditions/facts.ts'
import type { Evaluators } from './create-evaluators.ts'
import type { EvaluatorTry, TriedEvaluation } from './schemas.ts'
import type { EvaluatorRow } from './tables.ts'

/** Scores a text as a rule would, but raises no event and stores nothing. Null when the client went away. */
export async function tryEvaluator(
  evaluators: Evaluators,
  evaluator: EvaluatorRow,
  agent: Agent,
  { text, facts }: EvaluatorTry,
  at: number,
  signal: AbortSignal,
): Promise<TriedEvaluation | null> {
  const started = performance.now()
  const { time_zone: timeZone, hours } = agent.settings
  const input = {
    text,
    facts: withFacts(factsOf({ prompt: text, at, timeZone, hours }), facts),
    agent,
  }
  try {
    const { error, ...evaluation } = await evaluators.evaluate(evaluator, input, signal)
    const duration_ms = Math.round((performance.now() - started) * 10) / 10
    return { ...evaluation, duration_ms, error: error?.reason ?? null }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
