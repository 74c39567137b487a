import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'

/** Evaluators as they are kept with a run: without secrets, which only webhooks have. */
export function withoutSecrets(rows: readonly EvaluatorRow[]): EvaluatorRow[] {
  return rows.map((row) => {
    const { secret: _, ...settings } = JSON.parse(row.settings) as Record<string, unknown>
    return { ...row, settings: JSON.stringify(settings) }
  })
}

/** Whether an evaluator asks somebody else's service, which runs do not. */
export function asksOthers({ kind }: Pick<EvaluatorRow, 'kind'>): boolean {
  return kind === 'webhook'
}

/** Evaluates with the evaluators as a run has kept them. Webhooks are not called: what depends on one does not act. */
export function pinnedEvaluators(evaluators: Evaluators, rows: readonly EvaluatorRow[]): Evaluators {
  const kept = new Map(rows.map((row) => [row.id, row]))
  return {
    reachOf: (row) => evaluators.reachOf(kept.get(row.id) ?? row),
    async evaluate(row, input, signal) {
      if (asksOthers(row)) return { score: null, passed: false, content: null }
      return evaluators.evaluate(kept.get(row.id) ?? row, input, signal)
    },
  }
}
