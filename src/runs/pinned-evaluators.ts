import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'

/** Removes the secrets, which only webhooks have, from evaluators that are kept with a run. */
export function withoutSecrets(rows: readonly EvaluatorRow[]): EvaluatorRow[] {
  return rows.map((row) => {
    const { secret: _, ...settings } = JSON.parse(row.settings) as Record<string, unknown>
    return { ...row, settings: JSON.stringify(settings) }
  })
}

/** Tells whether an evaluator asks somebody else's service, which runs do not do. */
export function asksOthers({ kind }: Pick<EvaluatorRow, 'kind'>): boolean {
  return kind === 'webhook'
}

/** Evaluates with the evaluators that a run has kept. Webhooks are not called: rules that depend on one do not act. */
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
