import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
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
  let counts: Map<number, number> | undefined
  /** How often one was shown in the conversation: asked of the database when one might be. */
  const shown = async (id: number) => {
    counts ??= new Map(
      (await selectCtaCounts(db, { conversation_id: conversationId })).map(({ cta_id, shown }) => [
        cta_id,
        shown,
      ]),
    )
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
