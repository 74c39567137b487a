import type { Facts } from '../conditions/condition.ts'
import { withFacts } from '../conditions/facts.ts'
import type { Reach } from '../evaluators/evaluator.ts'
import { inSpan } from '../lib/tracing/tracing.ts'
import type { Evaluated } from './evaluated.ts'
import { onFailure } from './on-failure.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { GuardrailSettings } from './schemas.ts'
import type { TurnEvaluations } from './turn-evaluations.ts'

type Guardrail = Rule<GuardrailSettings>

interface TurnGuardsOptions {
  rules: AgentRules
  evaluations: TurnEvaluations
  /** Tells how much text a match of an evaluator can span. */
  reachOf: (evaluatorId: number) => Reach
  /** The facts before there is a response. */
  facts: Facts
  /** The prompt, and the earlier messages that the client sent with it. */
  written: string
  /** Called once for each guardrail that acts, with the evaluation that decided; null: its evaluator does not exist. */
  triggered: (guardrail: Guardrail, evaluated: Evaluated | null) => void
}

/** Applies an agent's guardrails to one prompt and its response. */
export function turnGuards({ rules, evaluations, reachOf, facts, written, triggered }: TurnGuardsOptions) {
  const known = new Set<number>()
  let shownAs: string | null = null

  const ofPrompt = rules.guardrails.filter(({ on }) => on === 'prompt')
  const ofResponse = rules.guardrails.filter(({ on }) => on === 'response')
  const blocking = ofResponse.filter(({ action }) => action === 'block')
  const replacing = ofResponse.filter(({ action }) => action === 'replace')
  const flagging = ofResponse.filter(({ action }) => action === 'flag')
  const reaches = [...blocking, ...replacing].map(({ evaluator_id }) => reachOf(evaluator_id))

  /** Tells whether a guardrail acts: its evaluator passed, or failed where the guardrail fails closed. */
  async function acts(guardrail: Guardrail, text: string, facts: Facts): Promise<boolean> {
    const { id: ruleId, evaluator_id: evaluatorId, on: subject } = guardrail
    const evaluated = await inSpan(
      'guardrail',
      'internal',
      { 'parley.guardrail.id': ruleId, 'parley.guardrail.on': subject },
      () => evaluations.ask({ evaluatorId, subject, text, facts, ruleId }),
    )
    const hasFailed = !evaluated || evaluated.evaluation.error !== undefined
    const isMet = hasFailed
      ? onFailure(guardrail, evaluated?.evaluator) === 'block'
      : evaluated.evaluation.passed === true
    if (isMet && !known.has(ruleId)) {
      known.add(ruleId)
      triggered(guardrail, evaluated)
    }
    return isMet
  }

  return {
    /** True if a response must be checked before it is sent. */
    guardsResponse: reaches.length > 0,
    /** True if a response can be checked only as a whole. */
    holdsWhole: reaches.includes('whole'),
    /** Tells whether a match may begin in a text and end in what follows it. */
    isOpen: (text: string) => reaches.some((reach) => reach !== 'whole' && reach(text)),
    /** The text that models see in place of a replaced or blocked prompt, now and in the history; otherwise null. */
    shownAs: () => shownAs,

    /** Checks the prompt. @returns a reply in place of asking a model, or a text that the model sees in its place */
    async guardPrompt(): Promise<{ reply: string } | { replacement: string } | null> {
      for (const guardrail of ofPrompt) {
        if (!(await acts(guardrail, written, facts))) continue
        if (guardrail.action !== 'flag') shownAs ??= guardrail.replacement
        if (guardrail.action === 'block') return { reply: guardrail.reply }
      }
      return shownAs === null ? null : { replacement: shownAs }
    },

    /**
     * Checks the next part of a response before it is sent, by itself and together with the text before it.
     * @param before what was sent already, in the model's own words
     */
    async guardPart(before: string, part: string): Promise<{ text: string } | { reply: string }> {
      const known = withFacts(facts, { 'response.text': before + part })
      for (const guardrail of blocking)
        if (await acts(guardrail, before + part, known)) return { reply: guardrail.reply }
      for (const guardrail of replacing)
        for (const text of new Set([part, before + part]))
          if (await acts(guardrail, text, known)) return { text: guardrail.replacement }
      return { text: part }
    },

    /** Lets the guardrails that only flag check the whole response. */
    async flagResponse(response: string, known: Facts): Promise<void> {
      for (const guardrail of flagging) await acts(guardrail, response, known)
    },
  }
}
