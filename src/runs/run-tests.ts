import { readAgents } from '../agents/agent.ts'
import type { AgentSettings } from '../agents/settings.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { raise } from '../events/raise.ts'
import type { Documents } from '../knowledge/documents/fingerprint-documents.ts'
import { timestamp } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { inTurnOfRedactions } from '../privacy/in-turn-of-redactions.ts'
import type { Lease } from '../work/lease.ts'
import { ProcessEnded } from '../work/retry.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { toParts } from './case.ts'
import { selectTexts } from './case-store.ts'
import { eraseRun } from './erase-run.ts'
import { failure } from './failure.ts'
import { measuredOf } from './figures-of-run.ts'
import type { Measured } from './measure-answers.ts'
import { type CaseDependencies, runCase, type Said } from './run-case.ts'
import { runErrors } from './run-errors.ts'
import {
  countResult,
  endResult,
  type OutcomeRow,
  ownerOfTexts,
  runQueueOf,
  selectOlderRuns,
  selectOutcomes,
  selectStates,
  selectWaitingResults,
  updateRun,
} from './run-store.ts'
import { agentOfRun } from './settings-of-run.ts'
import { TEST_RUNS } from './start-run.ts'
import type { CaseTextRow, ResultRow, RunRow } from './tables.ts'
import { watchDocuments } from './watch-documents.ts'

interface RunDependencies extends Omit<CaseDependencies, 'db' | 'engine'>, QueueDependencies {
  box: SecretBox
}

const RUNS_AT_ONCE = 4
const CASES_AT_ONCE = 4
/** The number of runs of a dataset that are kept. */
const KEPT_RUNS = 50

/**
 * Runs datasets. The result of each case is stored by itself, so that another process can go on where one died.
 * @param only the id of the one run that this process works on; null: any
 */
export function runTests(dependencies: RunDependencies, only: number | null = null): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  const queue = runQueueOf(only)
  return runQueue<RunRow>(
    {
      name: 'test_runs',
      queue,
      topics: [TEST_RUNS],
      atOnce: RUNS_AT_ONCE,
      async work(run, lease) {
        const { isOverLimit } = await workRun(dependencies, queue, run, lease)
        const state = isOverLimit ? 'failed' : 'done'
        const error = isOverLimit ? runErrors.say('cost_limit') : null
        await db.transaction().execute(async (db) => {
          await queue.end(db, run)
          await updateRun(db, run.id, { state, error, finished_at: timestamp(clock()) })
        })
        for (const older of await selectOlderRuns(db, run.dataset_id, KEPT_RUNS)) await eraseRun(db, older.id)
      },
      async parked(db, { id }, error) {
        await updateRun(db, id, {
          state: 'failed',
          error: runErrors.say(error instanceof ProcessEnded ? 'process_ended' : 'internal'),
          finished_at: timestamp(clock()),
        })
      },
      raise,
      about: ({ id, agent_id }) => ({ agent_id, run: id }),
    },
    dependencies,
  )
}

/** @returns whether it stopped because it reached its limit of cost */
async function workRun(
  dependencies: RunDependencies,
  queue: ReturnType<typeof runQueueOf>,
  run: RunRow,
  lease: Lease,
): Promise<{ isOverLimit: boolean }> {
  const { database, clock } = dependencies
  const { db, engine } = database
  const present = (await readAgents(db, [run.agent_id])).get(run.agent_id)
  if (!present) return { isOverLimit: false }
  const agent = agentOfRun(present, JSON.parse(run.settings) as AgentSettings, dependencies.box)
  const tested = { agent, present, rows: JSON.parse(run.evaluators) as EvaluatorRow[] }
  const before = run.documents === null ? null : (JSON.parse(run.documents) as Documents)
  const documents = await watchDocuments(db, run.agent_id, before)
  await lease.transaction(async (db) => {
    await updateRun(db, run.id, {
      state: 'running',
      started_at: run.started_at ?? timestamp(clock()),
      documents: JSON.stringify(documents.atBeginning),
    })
  })
  let cost = costOfRows(await selectOutcomes(db, run.id))
  const isOverLimit = () => run.cost_limit !== null && cost >= run.cost_limit
  const waiting = await selectWaitingResults(db, run.id)
  const workers = await Promise.allSettled(Array.from({ length: CASES_AT_ONCE }, workCases))
  const failed = workers.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return { isOverLimit: waiting.length > 0 }

  async function workCases(): Promise<void> {
    while (!isOverLimit()) {
      const result = waiting.shift()
      if (!result) return
      lease.signal.throwIfAborted()
      try {
        await workCase(result)
      } catch (error) {
        // The other workers end after the case that they are at.
        waiting.length = 0
        throw error
      }
    }
  }

  async function workCase(result: ResultRow): Promise<void> {
    const texts = await textsOf(result)
    const tags = JSON.parse(result.tags) as Record<string, unknown>
    const wereAsThen = await documents.areAsThen()
    const { said, dialogue, measured, model, ms } = await runCase(
      { ...dependencies, db, engine },
      { ...tested, parts: toParts(texts), tags },
      lease.signal,
    )
    const documents_changed = !(await documents.areAsThen()) || !wereAsThen
    cost += costOf(measured)
    await inTurnOfRedactions(db, engine, run.agent_id, async (db) => {
      await lease.hold(db)
      // An answer to texts that were redacted meanwhile is not kept.
      const isAsRun = sameTexts(texts, await textsOf(result, db))
      const kept = isAsRun ? said : REDACTED
      const state = kept.failures.length === 0 ? 'passed' : 'failed'
      const isFirst = await endResult(db, result.id, {
        state,
        model,
        ms,
        said: JSON.stringify(kept),
        dialogue: isAsRun && dialogue ? JSON.stringify(dialogue) : null,
        measured: JSON.stringify({ ...measured, documents_changed } satisfies Measured),
      })
      if (isFirst) await countResult(db, run, await selectStates(db, run.id, result.case_id), state)
      await queue.progress(db, run)
    })
  }

  async function textsOf(row: ResultRow, from = db): Promise<CaseTextRow[]> {
    const id = ownerOfTexts(row)
    return (await selectTexts(from, 'result_id', [id])).get(id) ?? []
  }
}

/** Returns the cost of the answers so far. */
function costOfRows(rows: readonly OutcomeRow[]): number {
  return rows.reduce((sum, row) => sum + costOf(measuredOf(row)), 0)
}

function costOf(measured: Pick<Measured, 'cost' | 'customer'> | null): number {
  return (measured?.cost ?? 0) + (measured?.customer?.cost ?? 0)
}

const REDACTED: Said = {
  response: null,
  failures: [failure('redacted')],
  citations: [],
  tools: [],
}

function sameTexts(before: readonly CaseTextRow[], now: readonly CaseTextRow[]): boolean {
  return before.length === now.length && before.every(({ content }, at) => content === now[at]?.content)
}
