import type { Kysely } from 'kysely'
import type { RuleAction } from '../actions/action.ts'
import { callWebhook } from '../actions/call-webhook.ts'
import type { Occasion } from '../actions/occasion.ts'
import { setStoredAction } from '../actions/stored-actions.ts'
import { type Agent, readAgent } from '../agents/agent.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import { settleCondition } from '../conditions/evaluate-condition.ts'
import type { LockAssignee } from '../desk/assign.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { maskingConversation } from '../privacy/mask/masking-conversation.ts'
import type { Tables } from '../storage/tables.ts'
import { lockCompletion } from '../transcripts/completions/lock-completion.ts'
import { redactedSoFar } from '../transcripts/completions/redacted-so-far.ts'
import { tell } from '../transcripts/conversations/happenings.ts'
import { hoursOfConversation } from '../transcripts/conversations/hours-of.ts'
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
  rulesOf: (agent: Agent) => Promise<AgentRules | null>
  lockAssignee: LockAssignee
}

/**
 * Runs those automations of a job that have not run yet. Each step is stored with its effect.
 * @throws LeaseLost, or an AbortError when the lease's signal fires; the next worker goes on from there
 */
export async function runJob(
  { db, clock, box, outbound, evaluators, rulesOf, lockAssignee }: JobDependencies,
  job: Job,
  lease: Lease,
): Promise<void> {
  const { runs } = job
  const agent = await readAgent(db, job.agent_id)
  const rules = await rulesOf(agent)
  const automations = new Map(rules && job.automationsOf(rules).map((one) => [one.id, one]))
  /** The facts as they were read last; null: something has changed since. */
  let known: KnownFacts | null = null
  let isDone = false
  for (const run of runs) {
    if (hasEnded(run)) continue
    lease.signal.throwIfAborted()
    const automation = automations.get(run.id)
    if (automation) await runAutomation(automation, run)
    // The automation was deleted or switched off meanwhile.
    else run.status = 'skipped'
  }
  if (!isDone) await db.transaction().execute(finish)

  async function runAutomation(automation: Automation, run: Run): Promise<void> {
    if (run.status === 'waiting') {
      if (!(await decide(automation, run)) || !(await begin(run))) return
    } else if (run.status === 'calling') {
      // A process died after it began the call and before it stored the outcome.
      note(run, automation.actions[run.action], 'unknown')
      run.action++
    }
    run.status = 'running'
    for (;;) {
      const action = run.isStopped ? undefined : automation.actions[run.action]
      if (!action) return db.transaction().execute((db) => end(db, automation, run))
      known = null
      if (action.type === 'call_webhook') {
        run.status = 'calling'
        await db.transaction().execute((db) => save(db))
        const http = outbound.of(agent.teamId)
        const ok = await callWebhook(
          { box, http, clock },
          {
            action,
            place: secretPlace(automation.id)(run.action),
            id: `${job.name}_${job.id}_${automation.id}_${run.action}`,
            told: {
              automation: named(automation),
              agent: { id: job.agent_id },
              ...(await job.toldToWebhook(db)),
            },
          },
        )
        run.status = 'running'
        run.action++
        if (!ok) note(run, action, 'failed')
        await db.transaction().execute((db) => save(db))
      } else {
        run.action++
        let isLast = run.action === automation.actions.length
        await db.transaction().execute(async (db) => {
          const { outcome } = await setStoredAction(occasionIn(db, automation), action)
          if (outcome === 'failed') note(run, action, 'failed')
          isLast ||= run.isStopped === true
          await (isLast ? end(db, automation, run) : save(db))
        })
        if (isLast) return
      }
    }
  }

  function occasionIn(db: Kysely<Tables>, { id, name }: Automation): Occasion {
    return {
      db,
      conversation: { id: job.conversation_id, agent_id: job.agent_id, team_id: agent.teamId },
      completionId: job.completion_id,
      actor: actorOf({ id, name }),
      person: null,
      lockAssignee,
      nowMs: clock(),
    }
  }

  function actorOf({ id, name }: Pick<Automation, 'id' | 'name'>) {
    return { kind: 'rule' as const, id, name, cause: job.cause }
  }

  /** Begins an automation, unless it has run for the same cause. */
  async function begin(run: Run): Promise<boolean> {
    if (!job.mayBegin) return true
    return db.transaction().execute(async (db) => {
      const isFirst = await job.mayBegin?.(db, run.id)
      run.status = isFirst ? 'running' : 'skipped'
      await save(db)
      return run.status === 'running'
    })
  }

  /** Decides whether an automation runs. Stores the results of evaluators either way. */
  async function decide(automation: Automation, run: Run): Promise<boolean> {
    if (!automation.condition) return true
    const { facts, completionId } = await readFacts(db)
    const text = String(facts['prompt.text'] ?? '')
    const all: StoredEvaluation[] = []
    const holds = await decideCondition(automation.condition, facts, async (id) => {
      const evaluator = rules?.evaluators.get(id)
      // A conversation in which nobody has written has no text to look at.
      if (!evaluator || completionId === null) return null
      const evaluation = await maskingConversation(db, agent, job.conversation_id, () =>
        evaluators.evaluate(evaluator, { text, facts, agent }, lease.signal),
      )
      const at = timestamp(clock())
      all.push({ evaluator, evaluation, ruleId: automation.id, subject: 'prompt', at })
      return evaluation
    })
    run.status = !holds ? 'skipped' : job.mayBegin ? 'waiting' : 'running'
    run.decidedBy = evaluationParts(all.at(-1) ?? null)
    if (holds) run.conditions = explained(automation.condition, facts, all)
    if (completionId !== null && all.length > 0) {
      known = null
      await db.transaction().execute(async (db) => {
        await save(db)
        const redacted = await redactedSoFar(db, await lockCompletion(db, completionId))
        await storeEvaluations(
          db,
          { agent_id: job.agent_id, completion_id: completionId },
          redacted !== null,
          all,
        )
        const failures = all.flatMap((one) => {
          const data = failurePart(one)
          return data ? [{ ...context(), occurred_at: one.at, key: 'error' as const, data }] : []
        })
        if (!holds) await logRules(db, job, failedRules(all, []))
        if (failures.length > 0) await raise(db, ...failures)
      })
    }
    return holds
  }

  async function readFacts(db: Kysely<Tables>): Promise<KnownFacts> {
    known ??= await job.readFacts(db, {
      countsMessages: rules?.countsMessages ?? false,
      timeZone: agent.settings.time_zone,
      hours: await hoursOfConversation(db, job.conversation_id, agent.settings.hours),
    })
    return known
  }

  /** Ends an automation, and the job too if no later automation can run. */
  async function end(db: Kysely<Tables>, automation: Automation, run: Run): Promise<void> {
    const status = run.trouble ?? 'succeeded'
    run.status = status
    const automationPart = { automation: named(automation) }
    const failure = { code: 'automation_failed', reason: status, ...automationPart }
    await writeOutcome(db, run, status)
    await raise(
      db,
      { ...context(), key: 'automation_trigger', data: { ...automationPart, ...run.decidedBy, status } },
      ...(status === 'succeeded' ? [] : [{ ...context(), key: 'error' as const, data: failure }]),
    )
    if (await someMayRun(db)) {
      await job.tellOutcomes?.(db, outcomesOf(runs), null)
      await save(db)
    } else await finish(db)
  }

  /** Adds an automation that has ended to its log and to the conversation's timeline. */
  async function writeOutcome(db: Kysely<Tables>, run: Run, status: Outcome): Promise<void> {
    const { id: rule_id, name, conditions = [], decidedBy: evaluation = {} } = run
    const at = timestamp(clock())
    const { agent_id, conversation_id, completion_id } = job
    const place = { agent_id, conversation_id, completion_id }
    const isFired = status === 'succeeded'
    const outcome = isFired ? 'fired' : 'failed'
    const reason = isFired ? null : status
    await logRules(db, place, [{ rule_id, outcome, reason, conditions, evaluation, at }])
    const by = actorOf({ id: rule_id, name })
    const details = { kind: 'automation', ...(reason ? { reason } : {}) }
    await tell(db, { ...place, kind: isFired ? 'rule_fired' : 'rule_failed', by, at, details })
  }

  /** Skips the next automations until one comes that may run. @returns true if there is one */
  async function someMayRun(db: Kysely<Tables>): Promise<boolean> {
    for (const run of runs) {
      if (hasEnded(run)) continue
      const automation = automations.get(run.id)
      if (automation) {
        const { condition } = automation
        if (!condition || settleCondition(condition, (await readFacts(db)).facts) !== false) return true
      }
      run.status = 'skipped'
    }
    return false
  }

  async function finish(db: Kysely<Tables>): Promise<void> {
    await job.tellOutcomes?.(db, outcomesOf(runs), timestamp(clock()))
    await save(db, 'done')
    isDone = true
  }

  function context() {
    return {
      agent_id: job.agent_id,
      occurred_at: timestamp(clock()),
      conversation_id: job.conversation_id,
      ...(job.completion_id === null ? {} : { completion_id: job.completion_id }),
    }
  }

  async function save(db: Kysely<Tables>, state: 'waiting' | 'done' = 'waiting'): Promise<void> {
    if (state === 'done') await job.end(db)
    else await lease.hold(db)
    // A call that only begins may be what ends processes.
    const isFurther = runs.every(({ status }) => status !== 'calling')
    if (isFurther && state !== 'done') await job.progress(db)
    await job.write(db, { runs: JSON.stringify(runs), state })
  }
}

/** Notes that an action did not succeed. A known failure takes precedence over an unknown outcome. */
function note(run: Run, action: RuleAction | undefined, trouble: 'failed' | 'unknown'): void {
  if (run.trouble !== 'failed') run.trouble = trouble
  if (action?.on_failure === 'stop') run.isStopped = true
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
