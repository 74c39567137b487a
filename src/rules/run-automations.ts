import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import type { Condition, Facts } from '../conditions/condition.ts'
import { decideCondition } from '../conditions/decide-condition.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import { type RaisedEvent, raise } from '../events/raise.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../storage/engine.ts'
import type { AutomationJobRow, Tables } from '../storage/tables.ts'
import { callWebhook } from './call-webhook.ts'
import { factsOfJob } from './facts-of-job.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { Action, AutomationSettings } from './schemas.ts'
import { claimJobs, freeAllJobs, writeJob } from './store.ts'
import { setStoredAction } from './stored-actions.ts'

/** The topic of wake-ups for automations. */
export const AUTOMATIONS = 'automations'

export interface AutomationDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
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
  status: 'waiting' | 'running' | 'calling' | 'succeeded' | 'failed' | 'unknown' | 'skipped'
  /** The next action. */
  action: number
}

const LEASE_MS = 60_000
const LOOK_EVERY_MS = { sqlite: 100, postgres: 250 }
const AT_ONCE = 20

/**
 * Runs automations after their response. Each step is stored with what it does: an action in the database happens
 * exactly once, a webhook is called at most once, and what a dead process left is taken up by the next.
 */
export function runAutomations(dependencies: AutomationDependencies) {
  const { database, clock, logger, box, outbound, evaluators, rulesOf } = dependencies
  const { db, engine, wakeUps } = database
  const running = new Set<Promise<void>>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let isOn = false
  let unlisten = () => {}

  function look(): void {
    if (!isOn) return
    looking ??= claim().finally(() => {
      looking = null
      if (!isOn) return
      clearTimeout(timer)
      timer = setTimeout(look, LOOK_EVERY_MS[engine.kind])
      timer.unref()
    })
  }

  async function claim(): Promise<void> {
    try {
      const limit = AT_ONCE - running.size
      if (limit <= 0) return
      const now = clock()
      const jobs = await claimJobs(db, engine, {
        now: timestamp(now),
        until: timestamp(now + LEASE_MS),
        limit,
      })
      for (const job of jobs) {
        const task = runJob(job)
          .catch((error: Error) => logger.warn({ error: error.name }, 'automations of a response were left'))
          .finally(() => running.delete(task))
        running.add(task)
      }
    } catch (error) {
      logger.warn({ error: (error as Error).name }, 'automations cannot be claimed')
    }
  }

  async function runJob(job: AutomationJobRow): Promise<void> {
    const agent = await readAgent(db, job.agent_id)
    const rules = await rulesOf(agent)
    const runs = JSON.parse(job.runs) as Run[]
    for (const run of runs) {
      if (stopped.signal.aborted) return
      if (['succeeded', 'failed', 'unknown', 'skipped'].includes(run.status)) continue
      const automation = rules?.automations.find(({ id }) => id === run.id)
      // It was deleted or switched off meanwhile.
      if (!automation || !rules) run.status = 'skipped'
      else await runAutomation(job, runs, run, automation, agent, rules)
    }
    await db.transaction().execute(async (db) => {
      if (!(await writeJob(db, job, { runs: JSON.stringify(runs), state: 'done' }))) return
      const outcomes = runs.filter(({ status }) => status !== 'skipped').map(outcomeOf)
      await db
        .updateTable('completions')
        .set({ automations: JSON.stringify(outcomes) })
        .where('id', '=', job.completion_id)
        .execute()
      await raise(db, { ...contextOf(job), key: 'automations_end', data: { automations: outcomes } })
    })
  }

  async function runAutomation(
    job: AutomationJobRow,
    runs: Run[],
    run: Run,
    automation: Rule<AutomationSettings>,
    agent: Agent,
    rules: AgentRules,
  ): Promise<void> {
    if (run.status === 'waiting') {
      const facts = await factsOfJob(db, job)
      if (automation.condition && !(await holds(automation.condition as Condition, facts, agent, rules))) {
        run.status = 'skipped'
        return
      }
      run.status = 'running'
    }
    if (run.status === 'calling') {
      // The process died between the call and its outcome.
      run.status = 'unknown'
      run.action++
    }
    let failed = run.status === 'unknown' ? 'unknown' : null
    while (run.action < automation.actions.length && failed !== 'failed') {
      const action = automation.actions[run.action] as Action
      if (action.type === 'call_webhook') {
        run.status = 'calling'
        await save(db, job, runs)
        const ok = await callWebhook({ db, box, outbound, clock }, job, automation, run.action, action)
        run.status = 'running'
        run.action++
        if (!ok) failed = 'failed'
        await save(db, job, runs)
      } else {
        await db.transaction().execute(async (db) => {
          run.action++
          await save(db, job, runs)
          await setStoredAction(db, job, automation, action, timestamp(clock()))
        })
      }
    }
    run.status = failed === 'failed' ? 'failed' : failed === 'unknown' ? 'unknown' : 'succeeded'
    await db.transaction().execute(async (db) => {
      await save(db, job, runs)
      const named = { id: automation.id, name: automation.name }
      await raise(db, {
        ...contextOf(job),
        key: 'automation_trigger',
        data: { automation: named, status: run.status },
      })
      if (run.status !== 'succeeded')
        await raise(db, {
          ...contextOf(job),
          key: 'error',
          data: { code: 'automation_failed', reason: run.status, automation: named },
        })
    })
    if (automation.actions.some(({ type }) => type === 'send_message' || type === 'pause_conversation'))
      wakeUps.send('mailboxes')
  }

  function holds(condition: Condition, facts: Facts, agent: Agent, rules: AgentRules): Promise<boolean> {
    return decideCondition(condition, facts, async (id) => {
      const evaluator = rules.evaluators.get(id)
      if (!evaluator) return null
      const text = String(facts['prompt.text'] ?? '')
      return evaluators.evaluate(evaluator, { text, facts, agent }, stopped.signal)
    })
  }

  function contextOf(job: AutomationJobRow): Omit<RaisedEvent, 'key'> {
    return {
      agent_id: job.agent_id,
      occurred_at: timestamp(clock()),
      conversation_id: job.conversation_id,
      completion_id: job.completion_id,
    }
  }

  async function save(db: Kysely<Tables>, job: AutomationJobRow, runs: Run[]): Promise<void> {
    const leased_until = timestamp(clock() + LEASE_MS)
    if (await writeJob(db, job, { runs: JSON.stringify(runs), leased_until })) return
    throw new Error('another worker has the job')
  }

  return {
    async start() {
      // One process works on a file: whoever held a job on it is gone.
      if (engine.kind === 'sqlite') await freeAllJobs(db)
      isOn = true
      unlisten = wakeUps.listen(AUTOMATIONS, look)
      look()
    },
    async stop() {
      isOn = false
      unlisten()
      clearTimeout(timer)
      stopped.abort()
      await looking
      await Promise.all(running)
    },
  }
}

function outcomeOf({ id, name, status }: Run) {
  return { id, name, status }
}
