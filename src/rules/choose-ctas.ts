import type { Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import type { Evaluated } from './evaluated.ts'
import type { Rule } from './rules-of-agent.ts'
import type { CtaSettings } from './schemas.ts'
import type { TurnEvaluations } from './turn-evaluations.ts'

/** The most calls to action of one answer. More would be noise. */
const MOST_CTAS = 3

/** A call to action that is attached to a response. */
export interface ChosenCta {
  cta: Rule<CtaSettings>
  /** The evaluation that decided it, if there was one. */
  evaluated: Evaluated | null
}

/**
 * Chooses the calls to action of a response. Yields them one by one, so that the caller knows those that were chosen
 * before the client went away.
 * @param shownBefore reads how often each was shown in the conversation; called only if one may be chosen
 * @param known the facts of the prompt and the response
 */
export async function* chooseCtas(
  shownBefore: () => Promise<Map<number, number>>,
  ctas: readonly Rule<CtaSettings>[],
  evaluations: TurnEvaluations,
  prompt: string,
  known: Facts,
): AsyncGenerator<ChosenCta> {
  let counts: Map<number, number> | undefined
  const shown = async (id: number) => {
    counts ??= await shownBefore()
    return counts.get(id) ?? 0
  }
  let chosen = 0
  for (const cta of ctas) {
    if (chosen === MOST_CTAS) return
    const most = cta.max_per_conversation
    if (cta.condition && settleCondition(cta.condition, known) === false) continue
    if (most !== null && (await shown(cta.id)) >= most) continue
    let evaluated: Evaluated | null = null
    const ask = async (evaluatorId: number) => {
      const question = { evaluatorId, subject: 'prompt', text: prompt, facts: known, ruleId: cta.id } as const
      evaluated = await evaluations.ask(question)
      return evaluated?.evaluation ?? null
    }
    if (cta.condition && !(await decideCondition(cta.condition, known, ask))) continue
    if (cta.evaluator_id !== null && !(await ask(cta.evaluator_id))?.passed) continue
    chosen++
    yield { cta, evaluated }
  }
}
