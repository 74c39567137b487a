import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import { withFacts } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { RaisedEvent } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { currentTrace } from '../lib/tracing.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Cta } from '../transcripts/completions/cta.ts'
import { replacePrompt } from '../transcripts/messages/replace-prompt.ts'
import { type ChosenCta, chooseCtas } from './choose-ctas.ts'
import { presentCta } from './cta.ts'
import { type Evaluated, evaluationParts, failurePart, named, storeEvaluations } from './evaluated.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { AutomationSettings, GuardrailSettings } from './schemas.ts'
import { countCta, insertJob } from './store.ts'
import { AUTOMATIONS } from './topics.ts'
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
  clock: Clock
  signal: AbortSignal
}

/** Of which turn something is told. */
type TurnContext = Required<
  Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>
>

/** Something that happened while the evaluators were asked, as its event tells it. */
type Happening = Required<Pick<RaisedEvent, 'key' | 'occurred_at' | 'data'>>

/**
 * What an agent's rules make of one prompt and its response. Evaluators are asked as the turn goes on, outside of any
 * transaction; what came of it is stored in the transaction that stores the answer.
 */
export function ruledTurn(options: RuledTurnOptions) {
  const { rules, evaluators, agent, facts, prompt, written, ctasShown, clock, signal } = options
  /** What was not told yet, in the order in which it happened: before the model was asked, and since. */
  const untold: { ofPrompt: Happening[]; since: Happening[] } = { ofPrompt: [], since: [] }
  let happenings = untold.ofPrompt
  const happened = (
    key: Happening['key'],
    data: Happening['data'],
    occurred_at: string = timestamp(clock()),
  ) => void happenings.push({ key, data, occurred_at })
  const evaluations = turnEvaluations(rules, evaluators, agent, clock, signal, (one) =>
    happened('error', failurePart(one) ?? {}, one.at),
  )
  const guards = turnGuards({
    rules,
    evaluations,
    facts,
    written,
    reachOf(id) {
      const evaluator = rules.evaluators.get(id)
      return evaluator ? evaluators.reachOf(evaluator) : 'whole'
    },
    triggered: (guardrail, evaluated) => happened('guardrail_trigger', guardrailData(guardrail, evaluated)),
  })
  const { guardsResponse, holdsWhole, isOpen, guardPart } = guards
  const shown: ChosenCta[] = []
  /** What is known once there is a response. */
  let known: Facts = facts

  return {
    guardsResponse,
    holdsWhole,
    isOpen,
    guardPart,

    async guardPrompt() {
      const guarded = await guards.guardPrompt()
      happenings = untold.since
      return guarded
    },

    /** The events of what happened before the model was asked, for whoever raises them before `store` does. */
    promptEvents: (context: Omit<TurnContext, 'occurred_at'>): RaisedEvent[] =>
      untold.ofPrompt.map((one) => ({ ...context, ...one })),
    /** Notes that `promptEvents` are raised. */
    promptEventsRaised: () => void untold.ofPrompt.splice(0),

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
     * @returns the events to raise with it: of what happened before the model was asked, since then, and behind the
     *   response; and the calls to action that are attached after all: prompts of the same conversation may have shown
     *   them as often as they may be meanwhile
     */
    async store(
      db: Kysely<Tables>,
      context: TurnContext,
      redacted: boolean,
      jobFacts: Record<string, unknown> | null,
    ): Promise<RuledEvents & { ctas: Cta[] }> {
      const { automations } = rules
      await storeEvaluations(db, context, redacted, evaluations.all)
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
      if (isJob) {
        await insertJob(db, jobOf(automations, context, jobFacts))
        wake(db, AUTOMATIONS)
      }
      const behind = [
        ...attached.map((one) => ctaEvent(context, one, redacted)),
        ...(isOver ? [{ ...context, key: 'automations_end' as const, data: { automations: [] } }] : []),
      ]
      return {
        ofPrompt: untold.ofPrompt.map((one) => ({ ...context, ...one })),
        since: untold.since.map((one) => ({ ...context, ...one })),
        behind,
        ctas: attached.map(({ cta }) => presentCta(cta)),
      }
    },
  }
}

export type RuledTurn = ReturnType<typeof ruledTurn>

/** The events of an agent's rules in a turn, each list in its order. */
export interface RuledEvents {
  /** Before the model was asked. */
  ofPrompt: RaisedEvent[]
  /** Since then, before the response was stored. */
  since: RaisedEvent[]
  /** With the response. */
  behind: RaisedEvent[]
}

function guardrailData(guardrail: Rule<GuardrailSettings>, evaluated: Evaluated | null) {
  const { on, action } = guardrail
  return { guardrail: { ...named(guardrail), on, action }, ...evaluationParts(evaluated) }
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
