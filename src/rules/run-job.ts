import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import { raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { MAILBOXES } from '../mailboxes/runner.ts'
import type { AutomationJobRow, Tables } from '../storage/tables.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import { callWebhook } from './call-webhook.ts'
import { type AskedFor, type Evaluated, evaluationParts, named, storeEvaluations } from './evaluated.ts'
import { factsOfJob } from './facts-of-job.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { Action, AutomationSettings } from './schemas.ts'
import { lockCompletion, writeAutomations, writeJob } from './store.ts'
import { setStoredAction } from './stored-actions.ts'

export interface JobDependencies {
  db: Kysely<Tables>
  wakeUps: WakeUps
  clock: Clock
  box: SecretBox
  outbound: Outbound
  evaluators: Evaluators
  rulesOf: (agent: Agent) => Promise<AgentRules | null>
}

/**
 * How far an automation has come. `calling`: a webhook may have been called without that being known: it is not called
 * again.
 */
interface Run {
  id: number
  name: string
  status: 'waiting' | 'running' | 'calling' | Outcome | 'skipped'
  /** The next action. */
  action: number
  /** How it will have ended, once that is no success any more. */
  trouble?: 'failed' | 'unknown'
  /** What decided that it runs, as its event tells it. */
  decidedBy?: ReturnType<typeof evaluationParts>
}

type Outcome = 'succeeded' | 'failed' | 'unknown'
type Automation = Rule<AutomationSettings>

const LEASE_MS = 15_000
const RENEW_EVERY_MS = 5_000

/** Until when a job that is claimed now is its worker's. */
export function leaseUntil(now: number): string {
  return timestamp(now + LEASE_MS)
}

/**
 * Runs the automations of one response that have not run yet, each step stored with what it does.
 * @throws when another worker has the job, or the signal fires: what is left is taken up by whoever claims it next
 */
export async function runJob(
  { db, wakeUps, clock, box, outbound, evaluators, rulesOf }: JobDependencies,
  job: AutomationJobRow,
  signal: AbortSignal,
): Promise<void> {
  const runs = JSON.parse(job.runs) as Run[]
  const agent = await readAgent(db, job.agent_id)
  const rules = await rulesOf(agent)
  // An evaluation may take longer than a lease. A database that is away for a moment costs nothing: the next step tells.
  const renewing = setInterval(() => {
    writeJob(db, job, { leased_until: leaseUntil(clock()) }).catch(() => {})
  }, RENEW_EVERY_MS)
  try {
    for (const run of runs) {
      if (hasEnded(run)) continue
      signal.throwIfAborted()
      const automation = rules?.automations.find(({ id }) => id === run.id)
      if (automation) await runAutomation(automation, run)
      // It was deleted or switched off meanwhile.
      else run.status = 'skipped'
    }
  } finally {
    clearInterval(renewing)
  }
  await db.transaction().execute(async (db) => {
    await save(db, 'done')
    await writeAutomations(db, job.completion_id, outcomesOf(runs))
    await raise(db, { ...context(), key: 'automations_end', data: { automations: outcomesOf(runs) } })
  })

  async function runAutomation(automation: Automation, run: Run): Promise<void> {
    if (run.status === 'waiting') {
      if (!(await decide(automation, run))) return
    } else if (run.status === 'calling') {
      // The process died between the call and its outcome.
      run.trouble = 'unknown'
      run.action++
    }
    run.status = 'running'
    while (run.action < automation.actions.length && run.trouble !== 'failed') {
      const action = automation.actions[run.action] as Action
      if (action.type === 'call_webhook') {
        run.status = 'calling'
        await save(db)
        const ok = await callWebhook({ db, box, outbound, clock }, job, automation, run.action, action)
        run.status = 'running'
        run.action++
        if (!ok) run.trouble = 'failed'
        await save(db)
      } else {
        run.action++
        await db.transaction().execute(async (db) => {
          await save(db)
          await setStoredAction(db, job, automation, action, timestamp(clock()))
        })
        if (action.type === 'send_message' || action.type === 'pause_conversation') wakeUps.send(MAILBOXES)
      }
    }
    await end(automation, run)
  }

  /** Whether an automation runs; what evaluators said of it is stored either way. */
  async function decide(automation: Automation, run: Run): Promise<boolean> {
    if (!automation.condition) return true
    const facts = await factsOfJob(db, job)
    const text = String(facts['prompt.text'] ?? '')
    const all: (Evaluated & AskedFor)[] = []
    const holds = await decideCondition(automation.condition, facts, async (id) => {
      const evaluator = rules?.evaluators.get(id)
      if (!evaluator) return null
      const evaluation = await evaluators.evaluate(evaluator, { text, facts, agent }, signal)
      all.push({ evaluator, evaluation, ruleId: automation.id, subject: 'prompt' })
      return evaluation
    })
    run.status = holds ? 'running' : 'skipped'
    run.decidedBy = evaluationParts(all.at(-1) ?? null)
    if (all.length > 0)
      await db.transaction().execute(async (db) => {
        await save(db)
        const { redacted } = await lockCompletion(db, job.completion_id)
        await storeEvaluations(db, context(), redacted !== null, all)
      })
    return holds
  }

  async function end(automation: Automation, run: Run): Promise<void> {
    const status = run.trouble ?? 'succeeded'
    run.status = status
    const automationPart = { automation: named(automation) }
    await db.transaction().execute(async (db) => {
      await save(db)
      await writeAutomations(db, job.completion_id, outcomesOf(runs))
      await raise(db, {
        ...context(),
        key: 'automation_trigger',
        data: { ...automationPart, ...run.decidedBy, status },
      })
      if (status !== 'succeeded')
        await raise(db, {
          ...context(),
          key: 'error',
          data: { code: 'automation_failed', reason: status, ...automationPart },
        })
    })
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
    const values = { runs: JSON.stringify(runs), state, leased_until: leaseUntil(clock()) }
    if (!(await writeJob(db, job, values))) throw new Error('another worker has the job')
  }
}

function hasEnded({ status }: Run): boolean {
  return !['waiting', 'running', 'calling'].includes(status)
}

/** As completions and `automations_end` tell them: those that have run. */
function outcomesOf(runs: readonly Run[]) {
  return runs
    .filter((run) => hasEnded(run) && run.status !== 'skipped')
    .map(({ id, name, status }) => ({ id, name, status }))
}
