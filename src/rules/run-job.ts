import type { Kysely } from 'kysely'
import type { ActionContext } from '../actions/action-context.ts'
import { carryOut, nextAction, pass } from '../actions/carry-out.ts'
import { type Agent, readAgent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import type { LockAssignee } from '../desk/assign.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { maskingConversation } from '../privacy/mask/masking-conversation.ts'
import type { Tables } from '../storage/tables.ts'
import { lockCompletion } from '../transcripts/completions/lock-completion.ts'
import { redactedSoFar } from '../transcripts/completions/redacted-so-far.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import { hoursOfConversation } from '../transcripts/conversations/hours-of.ts'
import type { IsSpent } from '../usage/budget.ts'
import type { Lease } from '../work/lease.ts'
import { evaluationParts, failurePart, named, type StoredEvaluation, storeEvaluations } from './evaluated.ts'
import type { Automation, Job, KnownFacts, Outcome, Run, RunOutcome } from './job.ts'
import { explained, failedRules, logRules } from './log-rules.ts'
import type { AgentRules } from './rules-of-agent.ts'
import { secretPlace } from './schemas.ts'

export interface JobDependencies {
  db: Kysely<Tables>
  clock: Clock
  box: SecretBox
  outbound: Outbound
  evaluators: Pick<Evaluators, 'evaluate'>
  isSpent: IsSpent
  rulesOf: (agent: Agent) => Promise<AgentRules | null>
  lockAssignee: LockAssignee
}

/**
 * Runs those automations of a job that have not run yet. Each step is stored with its effect.
 * @throws LeaseLost, or an AbortError when the lease's signal fires; the next worker goes on from there
 */
export async function runJob(dependencies: JobDependencies, job: Job, lease: Lease): Promise<void> {
  const agent = await readAgent(dependencies.db, job.agent_id)
  await new RunningJob(dependencies, job, lease, agent, await dependencies.rulesOf(agent)).run()
}

/** A job at work, with the facts as far as they are known. */
class RunningJob {
  readonly #dependencies: JobDependencies
  readonly #db: Kysely<Tables>
  readonly #job: Job
  readonly #lease: Lease
  readonly #agent: Agent
  readonly #rules: AgentRules | null
  readonly #automations: ReadonlyMap<number, Automation>
  /** The facts as they were read last; null: something has changed since. */
  #known: KnownFacts | null = null
  #isDone = false

  constructor(dependencies: JobDependencies, job: Job, lease: Lease, agent: Agent, rules: AgentRules | null) {
    this.#dependencies = dependencies
    this.#db = dependencies.db
    this.#job = job
    this.#lease = lease
    this.#agent = agent
    this.#rules = rules
    this.#automations = new Map(rules && job.automationsOf(rules).map((one) => [one.id, one]))
  }

  async run(): Promise<void> {
    for (const run of this.#job.runs) {
      if (hasEnded(run)) continue
      this.#lease.signal.throwIfAborted()
      const automation = this.#automations.get(run.id)
      if (automation) await this.#runAutomation(automation, run)
      // The automation was deleted or switched off meanwhile.
      else run.status = 'skipped'
    }
    if (!this.#isDone) await this.#db.transaction().execute((db) => this.#finish(db))
  }

  async #runAutomation(automation: Automation, run: Run): Promise<void> {
    if (run.status === 'waiting') {
      if (!(await this.#decide(automation, run)) || !(await this.#begin(run))) return
    } else if (run.status === 'calling') {
      // A process died after it began the call and before it stored the outcome.
      run.trouble ??= 'unknown'
      pass(automation.actions, run, 'unknown')
    }
    run.status = 'running'
    await this.#carryOut(automation, run)
    if (!hasEnded(run)) await this.#db.transaction().execute((db) => this.#end(db, automation, run))
  }

  /** Decides whether an automation runs. Stores the results of evaluators either way. */
  async #decide(automation: Automation, run: Run): Promise<boolean> {
    if (!automation.condition) return true
    const { facts, completionId } = await this.#readFacts(this.#db)
    const all: StoredEvaluation[] = []
    const holds = await decideCondition(automation.condition, facts, async (id) => {
      const evaluator = this.#rules?.evaluators.get(id)
      // A conversation in which nobody has written has no text to look at.
      if (!evaluator || completionId === null) return null
      const evaluation = await this.#evaluate(evaluator, facts)
      all.push({ evaluator, evaluation, ruleId: automation.id, subject: 'prompt', at: this.#now() })
      return evaluation
    })
    run.status = !holds ? 'skipped' : this.#job.mayBegin ? 'waiting' : 'running'
    run.decidedBy = evaluationParts(all.at(-1) ?? null)
    if (holds) run.conditions = explained(automation.condition, facts, all)
    if (completionId !== null && all.length > 0)
      await this.#db.transaction().execute((db) => this.#storeDecision(db, completionId, all, holds))
    return holds
  }

  #evaluate(evaluator: EvaluatorRow, facts: Facts) {
    const { evaluators, isSpent } = this.#dependencies
    const { conversation_id: conversationId, completion_id: completionId } = this.#job
    const input = {
      text: String(facts['prompt.text'] ?? ''),
      facts,
      agent: this.#agent,
      isSpent: () => isSpent({ agent: this.#agent, conversationId, completionId }),
    }
    return maskingConversation(this.#db, this.#agent, conversationId, () =>
      evaluators.evaluate(evaluator, input, this.#lease.signal),
    )
  }

  async #storeDecision(
    db: Kysely<Tables>,
    completion_id: string,
    all: readonly StoredEvaluation[],
    holds: boolean,
  ): Promise<void> {
    this.#known = null
    await this.#save(db)
    const redacted = await redactedSoFar(db, await lockCompletion(db, completion_id))
    await storeEvaluations(db, { agent_id: this.#job.agent_id, completion_id }, redacted !== null, all)
    const failures = all.flatMap((one) => {
      const data = failurePart(one)
      return data ? [{ ...this.#context(), occurred_at: one.at, key: 'error' as const, data }] : []
    })
    if (!holds) await logRules(db, this.#job, failedRules(all, []))
    if (failures.length > 0) await raise(db, ...failures)
  }

  async #readFacts(db: Kysely<Tables>): Promise<KnownFacts> {
    this.#known ??= await this.#job.readFacts(db, {
      countsMessages: this.#rules?.countsMessages ?? false,
      timeZone: this.#agent.settings.time_zone,
      hours: await hoursOfConversation(db, this.#job.conversation_id, this.#agent.settings.hours),
    })
    return this.#known
  }

  /** Begins an automation, unless it has run for the same cause. */
  async #begin(run: Run): Promise<boolean> {
    if (!this.#job.mayBegin) return true
    return this.#db.transaction().execute(async (db) => {
      const isFirst = await this.#job.mayBegin?.(db, run.id)
      run.status = isFirst ? 'running' : 'skipped'
      await this.#save(db)
      return run.status === 'running'
    })
  }

  /** Carries out the actions that are left. The automation ends in the transaction of the last one. */
  #carryOut(automation: Automation, run: Run): Promise<void> {
    const { actions } = automation
    const { box, clock, outbound } = this.#dependencies
    const { agent_id, id, name } = this.#job
    const http = outbound.of(this.#agent.teamId)
    return carryOut({ box, http, clock, userAgent: 'Parley-Automations/1.0' }, run, {
      actions,
      placeOf: secretPlace(automation.id),
      name: `${name}_${id}_${automation.id}`,
      told: async () => ({
        automation: named(automation),
        agent: { id: agent_id },
        ...(await this.#job.toldToWebhook(this.#db)),
      }),
      contextIn: (db) => this.#contextIn(db, automation),
      store: (_index, act) =>
        this.#db.transaction().execute(async (db) => {
          this.#known = null
          const { outcome } = await act(db)
          run.status = outcome === 'unknown' ? 'calling' : 'running'
          if (outcome === 'failed') run.trouble = 'failed'
          const isOver = run.status === 'running' && !nextAction(actions, run)
          await (isOver ? this.#end(db, automation, run) : this.#save(db))
        }),
    })
  }

  #contextIn(db: Kysely<Tables>, automation: Automation): ActionContext {
    const { conversation_id, agent_id, completion_id } = this.#job
    return {
      db,
      conversation: { id: conversation_id, agent_id, team_id: this.#agent.teamId },
      completionId: completion_id,
      actor: this.#actorOf(automation),
      person: null,
      lockAssignee: this.#dependencies.lockAssignee,
      nowMs: this.#dependencies.clock(),
    }
  }

  #actorOf({ id, name }: Automation | Run) {
    return { kind: 'rule' as const, id, name, cause: this.#job.cause }
  }

  /** Ends an automation, and the job too if no later automation can run. */
  async #end(db: Kysely<Tables>, automation: Automation, run: Run): Promise<void> {
    const status = run.trouble ?? 'succeeded'
    run.status = status
    const part = { automation: named(automation) }
    const failure = { code: 'automation_failed', reason: status, ...part }
    await this.#writeOutcome(db, run, status)
    await raise(
      db,
      { ...this.#context(), key: 'automation_trigger', data: { ...part, ...run.decidedBy, status } },
      ...(status === 'succeeded' ? [] : [{ ...this.#context(), key: 'error' as const, data: failure }]),
    )
    if (await this.#someMayRun(db)) {
      await this.#job.tellOutcomes?.(db, outcomesOf(this.#job.runs), null)
      await this.#save(db)
    } else await this.#finish(db)
  }

  /** Adds an automation that has ended to its log and to the conversation's timeline. */
  async #writeOutcome(db: Kysely<Tables>, run: Run, status: Outcome): Promise<void> {
    const { id: rule_id, conditions = [], decidedBy: evaluation = {} } = run
    const { agent_id, conversation_id, completion_id } = this.#job
    const place = { agent_id, conversation_id, completion_id }
    const at = this.#now()
    const outcome = status === 'succeeded' ? 'fired' : 'failed'
    const reason = status === 'succeeded' ? null : status
    await logRules(db, place, [{ rule_id, outcome, reason, conditions, evaluation, at }])
    const details = { kind: 'automation', ...(reason ? { reason } : {}) }
    await addHappening(db, { ...place, kind: `rule_${outcome}`, by: this.#actorOf(run), at, details })
  }

  /** Skips the next automations until one comes that may run. @returns true if there is one */
  async #someMayRun(db: Kysely<Tables>): Promise<boolean> {
    for (const run of this.#job.runs) {
      if (hasEnded(run)) continue
      const automation = this.#automations.get(run.id)
      if (automation) {
        const { condition } = automation
        if (!condition || settleCondition(condition, (await this.#readFacts(db)).facts) !== false) return true
      }
      run.status = 'skipped'
    }
    return false
  }

  /** Stores how far the job has come. */
  async #save(db: Kysely<Tables>): Promise<void> {
    const { runs } = this.#job
    await this.#lease.hold(db)
    // A call that only begins may be what ends processes.
    if (runs.every(({ status }) => status !== 'calling')) await this.#job.progress(db)
    await this.#job.write(db, { runs: JSON.stringify(runs), state: 'waiting' })
  }

  async #finish(db: Kysely<Tables>): Promise<void> {
    const { runs } = this.#job
    await this.#job.tellOutcomes?.(db, outcomesOf(runs), this.#now())
    await this.#job.end(db)
    await this.#job.write(db, { runs: JSON.stringify(runs), state: 'done' })
    this.#isDone = true
  }

  #now(): string {
    return timestamp(this.#dependencies.clock())
  }

  #context() {
    return {
      agent_id: this.#job.agent_id,
      occurred_at: this.#now(),
      conversation_id: this.#job.conversation_id,
      ...(this.#job.completion_id === null ? {} : { completion_id: this.#job.completion_id }),
    }
  }
}

function hasEnded({ status }: Run): boolean {
  return !['waiting', 'running', 'calling'].includes(status)
}

/** Lists the automations that have run, in the form that completions and `automations_end` have. */
function outcomesOf(runs: readonly Run[]): RunOutcome[] {
  return runs
    .filter((run) => hasEnded(run) && run.status !== 'skipped')
    .map(({ id, name, status }) => ({ id, name, status }))
}
