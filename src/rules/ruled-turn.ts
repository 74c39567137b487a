import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Condition, Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import { withFacts } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import { costOf } from '../evaluators/create-evaluators.ts'
import type { Evaluation } from '../evaluators/evaluator.ts'
import { type RaisedEvent, raise } from '../events/raise.ts'
import { currentTrace, inSpan } from '../lib/tracing.ts'
import type { Tables } from '../storage/tables.ts'
import { type AskedFor, type Evaluated, evaluationParts, named, storeEvaluations } from './evaluated.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { CtaSettings, GuardrailSettings } from './schemas.ts'
import { countCta, insertJob, replacePrompt, selectCtaCounts } from './store.ts'

/** A call to action as answers carry it. */
export interface Cta {
  id: number
  name: string
  content: string
  url: string | null
  button: string | null
}

type Subject = 'prompt' | 'response'
type Guardrail = Rule<GuardrailSettings>

/** More of them in one answer would be noise. */
const MOST_CTAS = 3

export interface RuledTurnOptions {
  rules: AgentRules
  evaluators: Evaluators
  agent: Agent
  /** Without the response. */
  facts: Facts
  prompt: string
  /** The prompt, with what was written before it where a client sends that along: a model would see it too. */
  written: string
  signal: AbortSignal
}

/**
 * What an agent's rules make of one prompt and its response. Evaluators are asked as the turn goes on, outside of any
 * transaction; what came of it is stored in the transaction that stores the answer.
 */
export function ruledTurn({ rules, evaluators, agent, facts, prompt, written, signal }: RuledTurnOptions) {
  const evaluations: (Evaluated & AskedFor)[] = []
  const asked = new Map<string, Promise<Evaluation>>()
  const triggered: { guardrail: Guardrail; evaluated: Evaluated }[] = []
  const shown: { cta: Rule<CtaSettings>; evaluated: Evaluated | null }[] = []
  /** What is known once there is a response. */
  let known: Facts = facts
  /** What models see in place of a prompt that was replaced or blocked, now and as history. */
  let shownAs: string | null = null

  /** Asks an evaluator about a text, once however many rules want to know. Null: there is no such evaluator. */
  async function ask(
    id: number,
    subject: Subject,
    text: string,
    known: Facts,
    ruleId: number | null,
  ): Promise<Evaluated | null> {
    const evaluator = rules.evaluators.get(id)
    if (!evaluator) return null
    const key = `${id} ${subject} ${text}`
    let answer = asked.get(key)
    if (!answer) {
      answer = evaluators.evaluate(evaluator, { text, facts: known, agent }, signal)
      asked.set(key, answer)
      keep({ evaluator, evaluation: await answer, ruleId, subject })
    }
    return { evaluator, evaluation: await answer }
  }

  /** Of an evaluator that is asked about one part of a response after the other, what it passed or failed by is kept. */
  function keep(one: Evaluated & AskedFor): void {
    const at = evaluations.findIndex(
      ({ evaluator, subject }) => evaluator.id === one.evaluator.id && subject === one.subject,
    )
    const before = evaluations[at]?.evaluation
    if (!before) evaluations.push(one)
    else if (!before.passed && !before.error) evaluations[at] = one
  }

  async function acts(guardrail: Guardrail, text: string, known: Facts): Promise<boolean> {
    const told = await inSpan(
      'guardrail',
      'internal',
      { 'parley.guardrail.id': guardrail.id, 'parley.guardrail.on': guardrail.on },
      () => ask(guardrail.evaluator_id, guardrail.on, text, known, guardrail.id),
    )
    if (!told?.evaluation.passed) return false
    if (!triggered.some((one) => one.guardrail.id === guardrail.id))
      triggered.push({ guardrail, evaluated: told })
    return true
  }

  const ofPrompt = rules.guardrails.filter(({ on }) => on === 'prompt')
  const ofResponse = rules.guardrails.filter(({ on }) => on === 'response')
  const stopping = ofResponse.filter(({ action }) => action === 'block')
  const replacing = ofResponse.filter(({ action }) => action === 'replace')

  const isCostly = ({ evaluator_id }: Guardrail) => {
    const evaluator = rules.evaluators.get(evaluator_id)
    return evaluator !== undefined && costOf(evaluator) === 'costly'
  }

  return {
    /** Whether a response may not leave before it was looked at. */
    guardsResponse: stopping.length + replacing.length > 0,
    /** Whether it is looked at as a whole alone: asking a model about each sentence would cost too much. */
    holdsWhole: [...stopping, ...replacing].some(isCostly),

    /** Looks at the prompt: what to answer in place of asking a model, or what the model is to see in its place. */
    async guardPrompt(): Promise<{ reply: string } | { replacement: string } | null> {
      for (const guardrail of ofPrompt) {
        if (!(await acts(guardrail, written, facts))) continue
        if (guardrail.action !== 'flag') shownAs ??= guardrail.replacement
        if (guardrail.action === 'block') return { reply: guardrail.reply }
      }
      return shownAs === null ? null : { replacement: shownAs }
    },

    /**
     * Looks at the next part of a response before it leaves, alone and with what stands before it.
     * @param before what has left already, as the model said it
     */
    async guardPart(before: string, part: string): Promise<{ text: string } | { reply: string }> {
      const known = withFacts(facts, { 'response.text': before + part })
      for (const guardrail of stopping)
        if (await acts(guardrail, before + part, known)) return { reply: guardrail.reply }
      for (const guardrail of replacing)
        for (const text of new Set([part, before + part]))
          if (await acts(guardrail, text, known)) return { text: guardrail.replacement }
      return { text: part }
    },

    /**
     * Looks at the whole response: guardrails that only flag, then what is attached to it. It ends when the client
     * goes away, with what is known by then.
     */
    async judgeResponse(
      db: Kysely<Tables>,
      conversationId: string,
      response: { text: string; finishReason: string; answered: boolean; retrievalScore: number },
    ): Promise<Cta[]> {
      known = withFacts(facts, {
        'response.text': response.text,
        finish_reason: response.finishReason,
        answered: response.answered,
        'retrieval.score': response.retrievalScore,
      })
      try {
        for (const guardrail of ofResponse)
          if (guardrail.action === 'flag') await acts(guardrail, response.text, known)
        await attachCtas(db, conversationId)
      } catch (error) {
        // The response is stored all the same.
        if (!signal.aborted) throw error
      }
      return shown.map(({ cta }) => present(cta))
    },

    /** Stores what came of it, in the transaction that stores the answer. */
    async store(
      db: Kysely<Tables>,
      context: { agent_id: number; occurred_at: string; conversation_id: string; completion_id: string },
      redacted: boolean,
      jobFacts: Record<string, unknown> | null,
    ): Promise<void> {
      await storeEvaluations(db, context, redacted, evaluations)
      if (shownAs !== null) await replacePrompt(db, context.completion_id, shownAs)
      const events: RaisedEvent[] = [
        ...triggered.map(
          ({ guardrail, evaluated }): RaisedEvent => ({
            ...context,
            key: 'guardrail_trigger',
            data: {
              guardrail: { ...named(guardrail), on: guardrail.on, action: guardrail.action },
              ...evaluationParts(evaluated),
            },
          }),
        ),
        ...shown.map(
          ({ cta, evaluated }): RaisedEvent => ({
            ...context,
            key: 'cta_trigger',
            data: { cta: { ...named(cta), content: cta.content }, ...evaluationParts(evaluated) },
          }),
        ),
      ]
      const runs = jobFacts !== null && someMayRun()
      if (jobFacts && rules.automations.length > 0 && !runs)
        events.push({ ...context, key: 'automations_end', data: { automations: [] } })
      await raise(db, ...events)
      for (const { cta } of shown)
        await countCta(db, { conversation_id: context.conversation_id, cta_id: cta.id })
      if (runs) {
        await insertJob(db, {
          agent_id: context.agent_id,
          completion_id: context.completion_id,
          conversation_id: context.conversation_id,
          facts: JSON.stringify({ ...jobFacts, trace: currentTrace() }),
          runs: JSON.stringify(
            rules.automations.map(({ id, name }) => ({ id, name, status: 'waiting', action: 0 })),
          ),
          created_at: context.occurred_at,
        })
      }
    },
  }

  async function attachCtas(db: Kysely<Tables>, conversationId: string): Promise<void> {
    const counted = rules.ctas.some(({ max_per_conversation }) => max_per_conversation !== null)
      ? await selectCtaCounts(db, { conversation_id: conversationId })
      : []
    const counts = new Map(counted.map(({ cta_id, shown }) => [cta_id, shown]))
    for (const cta of rules.ctas) {
      if (shown.length === MOST_CTAS) break
      if ((counts.get(cta.id) ?? 0) >= (cta.max_per_conversation ?? Number.POSITIVE_INFINITY)) continue
      let evaluated: Evaluated | null = null
      const askFor = async (id: number) => {
        evaluated = await ask(id, 'prompt', prompt, known, cta.id)
        return evaluated?.evaluation ?? null
      }
      if (cta.condition && !(await decideCondition(cta.condition as Condition, known, askFor))) continue
      if (cta.evaluator_id !== null && !(await askFor(cta.evaluator_id))?.passed) continue
      shown.push({ cta, evaluated })
    }
  }

  /**
   * Whether any automation's condition may hold: what is known may tell already that none does. Of one alone that would
   * not be the last word, since what another does may be what it waits for.
   */
  function someMayRun(): boolean {
    if (rules.automations.length === 0) return false
    // By then the response is a message too.
    const then = withFacts(known, { message_count: Number(known.message_count ?? 0) + 1 })
    return rules.automations.some(
      ({ condition }) => !condition || settleCondition(condition as Condition, then) !== false,
    )
  }
}

export type RuledTurn = ReturnType<typeof ruledTurn>

function present({ id, name, content, url, button }: Rule<CtaSettings>): Cta {
  return { id, name, content, url, button }
}
