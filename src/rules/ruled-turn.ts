import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import { withFacts } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { RaisedEvent } from '../events/raise.ts'
import { currentTrace } from '../lib/tracing.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { Tables } from '../storage/tables.ts'
import { type ChosenCta, chooseCtas } from './choose-ctas.ts'
import { type Cta, presentCta } from './cta.ts'
import { evaluationParts, named, storeEvaluations } from './evaluated.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { AutomationSettings } from './schemas.ts'
import { countCta, insertJob, replacePrompt } from './store.ts'
import { turnEvaluations } from './turn-evaluations.ts'
import { turnGuards } from './turn-guards.ts'

/** What an integer column of either database holds. */
const UNBOUNDED = 2 ** 31 - 1

interface RuledTurnOptions {
  rules: AgentRules
  evaluators: Evaluators
  agent: Agent
  /** Without the response. */
  facts: Facts
  prompt: string
  /** The prompt, with what was written before it where a client sends that along: a model would see it too. */
  written: string
  /** Reads how often each call to action was shown in the conversation. */
  ctasShown: () => Promise<Map<number, number>>
  signal: AbortSignal
}

/** Of which turn something is told. */
type TurnContext = Required<
  Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>
>

/**
 * What an agent's rules make of one prompt and its response. Evaluators are asked as the turn goes on, outside of any
 * transaction; what came of it is stored in the transaction that stores the answer.
 */
export function ruledTurn(options: RuledTurnOptions) {
  const { rules, evaluators, agent, facts, prompt, written, ctasShown, signal } = options
  const evaluations = turnEvaluations(rules, evaluators, agent, signal)
  const guards = turnGuards(rules, evaluations, facts, written)
  const { guardsResponse, holdsWhole, guardPrompt, guardPart, triggered } = guards
  const shown: ChosenCta[] = []
  /** What is known once there is a response. */
  let known: Facts = facts

  return {
    guardsResponse,
    holdsWhole,
    guardPrompt,
    guardPart,

    /**
     * Looks at the whole response: guardrails that only flag, then what is attached to it. It ends when the client
     * goes away, with what is known by then.
     */
    async judgeResponse(response: {
      text: string
      finishReason: string
      answered: boolean
      retrievalScore: number
    }): Promise<Cta[]> {
      known = withFacts(facts, {
        'response.text': response.text,
        finish_reason: response.finishReason,
        answered: response.answered,
        'retrieval.score': response.retrievalScore,
      })
      try {
        await guards.flagResponse(response.text, known)
        const chosen = chooseCtas(ctasShown, rules.ctas, evaluations, prompt, known)
        for await (const one of chosen) shown.push(one)
      } catch (error) {
        // The response is stored all the same.
        if (!signal.aborted) throw error
      }
      return shown.map(({ cta }) => presentCta(cta))
    },

    /**
     * Stores what came of it, in the transaction that stores the answer.
     * @param jobFacts what automations need to know and no row tells; null: they do not run
     * @returns the events to raise with it, and the calls to action that are attached after all: prompts of the same
     *   conversation may have shown them as often as they may be meanwhile
     */
    async store(
      db: Kysely<Tables>,
      context: TurnContext,
      redacted: boolean,
      jobFacts: Record<string, unknown> | null,
    ): Promise<{ events: RaisedEvent[]; ctas: Cta[] }> {
      const { automations } = rules
      const failures = await storeEvaluations(db, context, redacted, evaluations.all)
      const shownAs = guards.shownAs()
      if (shownAs !== null) await replacePrompt(db, context.completion_id, shownAs)
      const isJob = jobFacts !== null && someMayRun(automations, known)
      const isOver = jobFacts !== null && automations.length > 0 && !isJob
      const attached: ChosenCta[] = []
      for (const one of shown) {
        const { id: cta_id, max_per_conversation } = one.cta
        const most = max_per_conversation ?? UNBOUNDED
        const { conversation_id, occurred_at: shown_at } = context
        const [counted] = await countCta(db, { conversation_id, cta_id, most, shown_at })
        if (counted) attached.push(one)
      }
      if (isJob) await insertJob(db, jobOf(automations, context, jobFacts))
      const events = [
        ...failures,
        ...triggered.map((one) => guardrailEvent(context, one)),
        ...attached.map((one) => ctaEvent(context, one, redacted)),
        ...(isOver ? [{ ...context, key: 'automations_end' as const, data: { automations: [] } }] : []),
      ]
      return { events, ctas: attached.map(({ cta }) => presentCta(cta)) }
    },
  }
}

export type RuledTurn = ReturnType<typeof ruledTurn>

function guardrailEvent(
  context: TurnContext,
  { guardrail, evaluated }: ReturnType<typeof turnGuards>['triggered'][number],
): RaisedEvent {
  const { on, action } = guardrail
  return {
    ...context,
    key: 'guardrail_trigger',
    data: { guardrail: { ...named(guardrail), on, action }, ...evaluationParts(evaluated) },
  }
}

function ctaEvent(context: TurnContext, { cta, evaluated }: ChosenCta, redacted: boolean): RaisedEvent {
  const content = redacted ? SCRUBBED : cta.content
  return {
    ...context,
    key: 'cta_trigger',
    data: { cta: { ...named(cta), content }, ...evaluationParts(evaluated) },
  }
}

type Automation = Rule<AutomationSettings>

/**
 * Whether any automation's condition may hold: what is known may tell already that none does. Of one alone that would
 * not be the last word, since what another does may be what it waits for.
 */
function someMayRun(automations: readonly Automation[], known: Facts): boolean {
  if (automations.length === 0) return false
  // By then the response is a message too.
  const then = withFacts(known, { message_count: Number(known.message_count ?? 0) + 1 })
  return automations.some(({ condition }) => !condition || settleCondition(condition, then) !== false)
}

function jobOf(
  automations: readonly Automation[],
  { agent_id, completion_id, conversation_id, occurred_at }: TurnContext,
  jobFacts: Record<string, unknown>,
) {
  const runs = automations.map(({ id, name }) => ({ id, name, status: 'waiting', action: 0 }))
  return {
    agent_id,
    completion_id,
    conversation_id,
    facts: JSON.stringify({ ...jobFacts, trace: currentTrace() }),
    runs: JSON.stringify(runs),
    created_at: occurred_at,
  }
}
