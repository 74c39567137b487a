import type { Kysely } from 'kysely'
import type { RuleAction } from '../actions/action.ts'
import { callWebhook } from '../actions/call-webhook.ts'
import type { Occasion } from '../actions/occasion.ts'
import { setStoredAction } from '../actions/stored-actions.ts'
import { type Agent, readAgent } from '../agents/agent.ts'
import type { ComparisonOutcome } from '../conditions/compare-each.ts'
import type { Facts } from '../conditions/condition.ts'
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
import { writeAutomations } from '../transcripts/completions/write-automations.ts'
import { tell } from '../transcripts/conversations/happenings.ts'
import { hoursOfConversation } from '../transcripts/conversations/hours-of.ts'
import type { Lease } from '../work/lease.ts'
import { evaluationParts, failurePart, named, type StoredEvaluation, storeEvaluations } from './evaluated.ts'
import { factsOfJob } from './facts-of-job.ts'
import { explained, failedRules, logRules } from './log-rules.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import { type AutomationSettings, secretPlace } from './schemas.ts'
import { jobQueue, writeProgress } from './store.ts'
import type { AutomationJobRow } from './tables.ts'

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
 * The progress of an automation. `calling`: it was about to call a webhook. If its process dies then, the webhook may
 * have been called, and is not called again.
 */
interface Run {
  id: number
  name: string
  status: 'waiting' | 'running' | 'calling' | Outcome | 'skipped'
  /** Index of the next action. */
  action: number
  /** The outcome that the automation will have, once an action has not succeeded. */
  trouble?: 'failed' | 'unknown'
  /** True if it ends because an action did not succeed. */
  isStopped?: boolean
  /** The evaluation that decided whether it runs, in the form that its event has. */
  decidedBy?: ReturnType<typeof evaluationParts>
  /** The results of the comparisons of its condition. */
  conditions?: ComparisonOutcome[]
}

/** The outcomes of an automation that did not do all it says. */
export const troubles = ['failed', 'unknown'] as const
type Outcome = 'succeeded' | (typeof troubles)[number]
type Automation = Rule<AutomationSettings>

/**
 * Runs those automations of one response that have not run yet. Each step is stored with its effect.
 * @throws LeaseLost, or an AbortError when the lease's signal fires; the next worker goes on from there
 */
export async function runJob(
  { db, clock, box, outbound, evaluators, rulesOf, lockAssignee }: JobDependencies,
  job: AutomationJobRow,
  lease: Lease,
): Promise<void> {
  const runs = JSON.parse(job.runs) as Run[]
  const agent = await readAgent(db, job.agent_id)
  const rules = await rulesOf(agent)
  const automations = new Map(rules?.automations.map((automation) => [automation.id, automation]))
  /** The facts as they were read last; null: something has changed since. */
  let known: Facts | null = null
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
      if (!(await decide(automation, run))) return
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
            id: `automation_${job.id}_${automation.id}_${run.action}`,
            told: await toldToWebhook(db, job, automation),
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
      actor: { kind: 'rule', id, name },
      person: null,
      lockAssignee,
      nowMs: clock(),
    }
  }

  /** Decides whether an automation runs. Stores the results of evaluators either way. */
  async function decide(automation: Automation, run: Run): Promise<boolean> {
    if (!automation.condition) return true
    const facts = await readFacts(db)
    const text = String(facts['prompt.text'] ?? '')
    const all: StoredEvaluation[] = []
    const holds = await decideCondition(automation.condition, facts, async (id) => {
      const evaluator = rules?.evaluators.get(id)
      if (!evaluator) return null
      const evaluation = await maskingConversation(db, agent, job.conversation_id, () =>
        evaluators.evaluate(evaluator, { text, facts, agent }, lease.signal),
      )
      const at = timestamp(clock())
      all.push({ evaluator, evaluation, ruleId: automation.id, subject: 'prompt', at })
      return evaluation
    })
    run.status = holds ? 'running' : 'skipped'
    run.decidedBy = evaluationParts(all.at(-1) ?? null)
    if (holds) run.conditions = explained(automation.condition, facts, all)
    if (all.length > 0) {
      known = null
      await db.transaction().execute(async (db) => {
        await save(db)
        const redacted = await redactedSoFar(db, await lockCompletion(db, job.completion_id))
        await storeEvaluations(db, context(), redacted !== null, all)
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

  async function readFacts(db: Kysely<Tables>): Promise<Facts> {
    known ??= await factsOfJob(db, job, {
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
      await writeAutomations(db, { id: job.completion_id, automations: outcomesOf(runs) })
      await save(db)
    } else await finish(db)
  }

  /** Adds an automation that has ended to its log and to the conversation's timeline. */
  async function writeOutcome(db: Kysely<Tables>, run: Run, status: Outcome): Promise<void> {
    const { id: rule_id, name, conditions = [], decidedBy: evaluation = {} } = run
    const { occurred_at: at, ...place } = context()
    const isFired = status === 'succeeded'
    const outcome = isFired ? 'fired' : 'failed'
    const reason = isFired ? null : status
    await logRules(db, place, [{ rule_id, outcome, reason, conditions, evaluation, at }])
    const by = { kind: 'rule', id: rule_id, name } as const
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
        if (!condition || settleCondition(condition, await readFacts(db)) !== false) return true
      }
      run.status = 'skipped'
    }
    return false
  }

  async function finish(db: Kysely<Tables>): Promise<void> {
    const outcomes = outcomesOf(runs)
    await writeAutomations(db, { id: job.completion_id, automations: outcomes })
    await raise(db, { ...context(), key: 'automations_end', data: { automations: outcomes } })
    await save(db, 'done')
    isDone = true
  }

  function context() {
    return {
      agent_id: job.agent_id,
      occurred_at: timestamp(clock()),
      conversation_id: job.conversation_id,
      completion_id: job.completion_id,
    }
  }

  async function save(db: Kysely<Tables>, state: AutomationJobRow['state'] = 'waiting'): Promise<void> {
    if (state === 'done') await jobQueue.end(db, job)
    else await lease.hold(db)
    // A call that only begins may be what ends processes.
    const isFurther = runs.every(({ status }) => status !== 'calling')
    if (isFurther && state !== 'done') await jobQueue.progress(db, job)
    await writeProgress(db, { id: job.id, runs: JSON.stringify(runs), state })
  }
}

/** Returns what an automation's webhook is told. */
async function toldToWebhook(db: Kysely<Tables>, job: AutomationJobRow, { id, name }: Automation) {
  const facts = await factsOfJob(db, job, { countsMessages: false, timeZone: 'UTC', hours: null })
  return {
    automation: { id, name },
    agent: { id: job.agent_id },
    completion: {
      id: job.completion_id,
      conversation_id: job.conversation_id,
      prompt: facts['prompt.text'],
      response: facts['response.text'],
    },
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
function outcomesOf(runs: readonly Run[]) {
  return runs
    .filter((run) => hasEnded(run) && run.status !== 'skipped')
    .map(({ id, name, status }) => ({ id, name, status }))
}
