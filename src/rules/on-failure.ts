import type { EvaluatorRow } from '../evaluators/tables.ts'

/**
 * Decides what a guardrail does when its evaluator fails. Its own `on_failure` decides, or else the evaluator's
 * `on_error`. Without either, guardrails that block or replace fail closed, and those that flag do nothing.
 */
export function onFailure(
  { action, on_failure }: { action: 'block' | 'replace' | 'flag'; on_failure: 'block' | 'pass' | null },
  evaluator: Pick<EvaluatorRow, 'on_error'> | undefined,
): 'block' | 'pass' {
  if (on_failure) return on_failure
  if (evaluator?.on_error) return evaluator.on_error === 'pass' ? 'block' : 'pass'
  return action === 'flag' ? 'pass' : 'block'
}
