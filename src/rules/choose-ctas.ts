import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import type { Tables } from '../storage/tables.ts'
import type { Evaluated } from './evaluated.ts'
import type { Rule } from './rules-of-agent.ts'
import type { CtaSettings } from './schemas.ts'
import { selectCtaCounts } from './store.ts'
import type { TurnEvaluations } from './turn-evaluations.ts'

/** More of them in one answer would be noise. */
const MOST_CTAS = 3

/** A call to action that is attached to a response. */
export interface ChosenCta {
  cta: Rule<CtaSettings>
  /** What decided it, when an evaluator did. */
  evaluated: Evaluated | null
}

/**
 * Chooses the calls to action of a response, one after the other, so that those that were chosen before the client
 * went away are known.
 * @param known the facts of the prompt and the response
 */
export async function* chooseCtas(
  db: Kysely<Tables>,
  conversationId: string,
  ctas: readonly Rule<CtaSettings>[],
  evaluations: TurnEvaluations,
  prompt: string,
  known: Facts,
): AsyncGenerator<ChosenCta> {
  const counted = ctas.some(({ max_per_conversation }) => max_per_conversation !== null)
    ? await selectCtaCounts(db, { conversation_id: conversationId })
    : []
  const counts = new Map(counted.map(({ cta_id, shown }) => [cta_id, shown]))
  let chosen = 0
  for (const cta of ctas) {
    if (chosen === MOST_CTAS) return
    if ((counts.get(cta.id) ?? 0) >= (cta.max_per_conversation ?? Number.POSITIVE_INFINITY)) continue
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
