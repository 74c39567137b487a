import { memo } from '../lib/memo.ts'
import { takeTurns } from '../lib/pacing/take-turns.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import {
  type Evaluation,
  type EvaluatorCost,
  EvaluatorError,
  type EvaluatorInput,
  type Judge,
  type JudgeDependencies,
  type Reach,
} from './evaluator.ts'
import { type KindName, kindOf } from './kinds.ts'
import { secretPlace } from './secret-place.ts'
import type { EvaluatorRow } from './tables.ts'

/** Runs evaluators. */
export interface Evaluators {
  /**
   * Scores a text. A failure does not reject: `error` describes it, and `passed` is null unless the evaluator's
   * `on_error` says otherwise.
   * @throws AbortError when the signal fires, and only then
   */
  evaluate(evaluator: EvaluatorRow, input: EvaluatorInput, signal: AbortSignal): Promise<Evaluation>
  /** Tells how far a match that makes the evaluator pass can reach in a text that is still growing. */
  reachOf(evaluator: EvaluatorRow): Reach
}

interface EvaluatorsOptions
  extends Pick<JudgeDependencies, 'modelFor' | 'modelFailed' | 'outbound' | 'redactionWork'> {
  box: SecretBox
}

export function createEvaluators({ box, ...dependencies }: EvaluatorsOptions): Evaluators {
  /** Lets other work run in between: an agent may have hundreds of evaluators, and a prompt may be megabytes long. */
  const pause = takeTurns()
  const cached = memo<number, Judge>(500)

  /**
   * Makes a judge, and keeps it while the evaluator's settings stay the same: compiling patterns and words costs more
   * than scoring a text.
   */
  function judgeOf({ id, name, kind, settings }: EvaluatorRow): Judge {
    return cached(id, `${name}\n${settings}`, () =>
      kindOf(kind as KindName).judge(JSON.parse(settings), {
        ...dependencies,
        openSecret: (sealed, url) => box.openFor(url, sealed, secretPlace(id)),
        evaluator: { id, name },
      }),
    )
  }

  return {
    reachOf({ kind, settings, threshold, invert }) {
      // Only the whole text shows that something is missing from it.
      return invert === 1 ? 'whole' : kindOf(kind as KindName).reach(JSON.parse(settings), threshold)
    },
    async evaluate(evaluator, input, signal) {
      await pause()
      try {
        const { score, content, isUnsure = false } = await judgeOf(evaluator)(input, signal)
        const isReached = score >= evaluator.threshold
        return { score, passed: !isUnsure && isReached !== (evaluator.invert === 1), content }
      } catch (error) {
        signal.throwIfAborted()
        const reason = error instanceof EvaluatorError ? error.reason : 'internal'
        return {
          score: null,
          passed: evaluator.on_error && evaluator.on_error === 'pass',
          content: null,
          error: { code: 'evaluator_failed', reason, evaluator_id: evaluator.id },
        }
      }
    },
  }
}

/** The facts that an evaluator's settings name. */
export function fieldsAskedBy({ kind, settings }: Pick<EvaluatorRow, 'kind' | 'settings'>): string[] {
  return kindOf(kind as KindName).fields?.(JSON.parse(settings)) ?? []
}

/** Returns the cost of running an evaluator. Cheap evaluators are worth running first. */
export function costOf({ kind }: Pick<EvaluatorRow, 'kind'>): EvaluatorCost {
  return kindOf(kind as KindName).cost
}
