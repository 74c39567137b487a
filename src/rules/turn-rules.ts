import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import { withFacts } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EventWithData } from '../events/event-data.ts'
import type { EventContext, RaisedEvent } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { currentTrace } from '../lib/tracing/tracing.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import { replacePrompt } from '../transcripts/messages/replace-prompt.ts'
import { type ChosenCta, chooseCtas } from './choose-ctas.ts'
import { presentCta } from './cta.ts'
import { type Evaluated, evaluationParts, failurePart, named, storeEvaluations } from './evaluated.ts'
import type { TurnSoFar } from './explain-rules.ts'
import { explained, failedRules, firedRule, logRules } from './log-rules.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { AutomationSettings, GuardrailSettings } from './schemas.ts'
import { countCta, insertJob } from './store.ts'
import { AUTOMATIONS } from './topics.ts'
import { turnEvaluations } from './turn-evaluations.ts'
import { turnGuards } from './turn-guards.ts'

/** The largest number that an integer column of either database holds. */
const UNBOUNDED = 2 ** 31 - 1

interface TurnRulesOptions {
  rules: AgentRules
  evaluators: Evaluators
  agent: Agent
  /** The facts before there is a response. */
  facts: Facts
  prompt: string
  /** The prompt, and the earlier messages that the client sent with it: the model sees them too. */
  written: string
  /** Reads how often each call to action was shown in the conversation. */
  ctasShown: () => Promise<Map<number, number>>
  clock: Clock
  signal: AbortSignal
}

/** The turn to which an event belongs. */
type TurnContext = Required<EventContext>

/** Something that happened while evaluators were asked. */
type TimedEvent = EventWithData & { occurred_at: string }

/**
 * Applies an agent's rules to one prompt and its response. Evaluators are asked during the turn, outside of any
 * transaction. Their results are stored in the transaction that stores the answer.
 */
export function turnRules(options: TurnRulesOptions) {
  const { rules, evaluators, agent, facts, prompt, written, ctasShown, clock, signal } = options
  /** The happenings that are not raised yet, in order: those before the model was asked, and those since. */
  const [ofPrompt, since]: [TimedEvent[], TimedEvent[]] = [[], []]
  let isPromptGuarded = false
  const happened = (one: EventWithData, occurred_at: string = timestamp(clock())) =>
    void (isPromptGuarded ? since : ofPrompt).push({ ...one, occurred_at })
  const evaluations = turnEvaluations(rules, evaluators, agent, clock, signal, (one) => {
    const data = failurePart(one)
    if (data) happened({ key: 'error', data }, one.at)
  })
  /** The guardrails that have acted, each once. */
  const acted: { guardrail: Rule<GuardrailSettings>; evaluated: Evaluated | null; at: string }[] = []
  const guards = turnGuards({
    rules,
    evaluations,
    facts,
    written,
    reachOf(id) {
      const evaluator = rules.evaluators.get(id)
      return evaluator ? evaluators.reachOf(evaluator) : 'whole'
    },
    triggered(guardrail, evaluated) {
      acted.push({ guardrail, evaluated, at: timestamp(clock()) })
      happened({ key: 'guardrail_trigger', data: guardrailData(guardrail, evaluated) })
    },
  })
  const { guardsResponse, holdsWhole, isOpen, guardPart } = guards
  const shown: ChosenCta[] = []
  /** The facts, with those of the response once there is one. */
  let known: Facts = facts

  return {
    guardsResponse,
    holdsWhole,
    isOpen,
    guardPart,
    shownAs: guards.shownAs,
    /** Tells whether a guardrail has acted. */
    hasGuarded: () => acted.length > 0,

    async guardPrompt() {
      const judged = await guards.guardPrompt()
      isPromptGuarded = true
      return judged
    },

    /** Returns the events from before the model was asked, to raise them before `store` does. */
    promptEvents: (context: Omit<TurnContext, 'occurred_at'>) => eventsOf(context, ofPrompt),
    /** Returns the results so far, for a caller that tries a prompt out and stores nothing. */
    soFar: (): TurnSoFar => ({
      rules,
      facts: known,
      evaluations: evaluations.all,
      acted: {
        guardrails: new Set(acted.map(({ guardrail }) => guardrail.id)),
        ctas: new Set(shown.map(({ cta }) => cta.id)),
      },
    }),

    /** Notes that `promptEvents` are raised. */
    promptEventsRaised: () => void ofPrompt.splice(0),

    /**
     * Lets the guardrails that only flag look at the whole response, and then chooses the calls to action. When the
     * client goes away, returns what was chosen by then.
     */
    async judgeResponse(response: JudgedResponse): Promise<Cta[]> {
      known = withResponse(facts, response)
      try {
        await guards.flagResponse(response.text, known)
        const chosen = chooseCtas(ctasShown, rules.ctas, evaluations, prompt, known)
        for await (const one of chosen) shown.push(one)
      } catch (error) {
        // The client went away. The response is stored all the same.
        if (!signal.aborted) throw error
      }
      return shown.map(({ cta }) => presentCta(cta))
    },

    /**
     * Stores the results, in the transaction that stores the answer.
     * @param jobFacts facts for automations that no row holds; null: automations do not run
     * @returns the events to raise, and the calls to action that are attached. These may be fewer than were chosen, if
     *   other prompts of the conversation have shown them as often as allowed meanwhile.
     */
    async store(
      db: Kysely<Tables>,
      context: TurnContext,
      redacted: boolean,
      jobFacts: Record<string, unknown> | null,
    ): Promise<RuleEvents & { ctas: Cta[] }> {
      const { automations } = rules
      await storeEvaluations(db, context, redacted, evaluations.all)
      const isJob = jobFacts !== null && someMayRun(automations, known)
      const isOver = jobFacts !== null && automations.length > 0 && !isJob
      const attached = await attach(db, context, shown)
      const shownAs = guards.shownAs()
      if (shownAs !== null) await replacePrompt(db, context.completion_id, shownAs)
      const fired = [
        ...acted.map(({ guardrail, evaluated, at }) => firedRule(guardrail.id, at, evaluated)),
        ...attached.map(({ cta, evaluated }) =>
          firedRule(cta.id, context.occurred_at, evaluated, explained(cta.condition, known, evaluations.all)),
        ),
      ]
      await logRules(db, context, [...fired, ...failedRules(evaluations.all, fired)])
      for (const { guardrail, at } of acted) await addGuardrailHappening(db, context, guardrail, at)
      if (isJob) {
        await insertJob(db, jobOf(automations, context, jobFacts))
        wake(db, AUTOMATIONS)
      }
      const behind = [
        ...attached.map((one) => ctaEvent(context, one, redacted)),
        ...(isOver ? [{ ...context, key: 'automations_end' as const, data: { automations: [] } }] : []),
      ]
      return {
        ofPrompt: eventsOf(context, ofPrompt),
        since: eventsOf(context, since),
        behind,
        ctas: attached.map(({ cta }) => presentCta(cta)),
      }
    },
  }
}

export type TurnRules = ReturnType<typeof turnRules>

/** The events of an agent's rules in a turn, each list in order. */
export interface RuleEvents {
  /** The events from before the model was asked. */
  ofPrompt: RaisedEvent[]
  /** The events since then, from before the response was stored. */
  since: RaisedEvent[]
  /** The events after the response. */
  behind: RaisedEvent[]
}

function eventsOf(context: Omit<TurnContext, 'occurred_at'>, events: readonly TimedEvent[]): RaisedEvent[] {
  return events.map((one) => ({ ...context, ...one }))
}

interface JudgedResponse {
  text: string
  finishReason: string
  answered: boolean
  retrievalScore: number
}

/** Returns the facts with those of the response. */
function withResponse(facts: Facts, response: JudgedResponse): Facts {
  return withFacts(facts, {
    'response.text': response.text,
    finish_reason: response.finishReason,
    answered: response.answered,
    'retrieval.score': response.retrievalScore,
  })
}

/** Counts the chosen calls to action, and returns those that the conversation has not seen as often as allowed. */
async function attach(
  db: Kysely<Tables>,
  { conversation_id, occurred_at: shown_at }: TurnContext,
  chosen: readonly ChosenCta[],
): Promise<ChosenCta[]> {
  const attached: ChosenCta[] = []
  for (const one of chosen) {
    const { id: cta_id, max_per_conversation } = one.cta
    const most = max_per_conversation ?? UNBOUNDED
    const [counted] = await countCta(db, { conversation_id, cta_id, most, shown_at })
    if (counted) attached.push(one)
  }
  return attached
}

/** Adds a guardrail that acted to the conversation's timeline. */
async function addGuardrailHappening(
  db: Kysely<Tables>,
  { agent_id, conversation_id, completion_id }: TurnContext,
  { id, name, on, action }: Rule<GuardrailSettings>,
  at: string,
): Promise<void> {
  const context = { agent_id, conversation_id, completion_id }
  const by = { kind: 'rule', id, name } as const
  await addHappening(db, {
    ...context,
    kind: 'rule_fired',
    by,
    at,
    details: { kind: 'guardrail', on, action },
  })
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
 * Tells whether any automation may run. The facts may already tell that no condition holds. If one may hold, the others
 * have to be checked later too, because its actions can change their facts.
 */
function someMayRun(automations: readonly Automation[], known: Facts): boolean {
  if (automations.length === 0) return false
  // When automations run, the response is stored and counts as a message.
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
