import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { createLogger } from '../app/create-app.ts'
import { openRunWorker } from '../app/work-runs.ts'
import { byCommandLine } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { openFoundation } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { selectDatasetsNamed } from '../runs/dataset-store.ts'
import { findRun, readRun } from '../runs/read-run.ts'
import type { RunWithResults } from '../runs/schemas.ts'
import { startRun } from '../runs/start-run.ts'
import type { DatasetRow, RunRow } from '../runs/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, type Line, requiredId, UsageError } from './command.ts'

const LOOK_EVERY_MS = 200

export const test: Command = {
  name: 'test',
  usage: 'DATASET [--agent ID]',
  summary: 'Run a dataset, named by its id or name, and print what failed; exits 1 when anything did',
  options: { agent: { type: 'string' } },
  positionals: 1,
  async run({ config, positionals, options, print }) {
    const agent = options.agent === undefined ? null : requiredId(options.agent, '--agent')
    await using foundation = await openFoundation(config)
    const { database, clock } = foundation
    const { db, engine } = database
    const dataset = await requiredDataset(db, positionals[0] ?? '', agent)
    const teamId = await teamOfAgent(db, dataset.agent_id)
    if (teamId === null) throw new UsageError(`there is no agent ${dataset.agent_id}`)
    const worker = await openRunWorker(foundation, createLogger({ logLevel: 'silent' }))
    try {
      const by = { ...byCommandLine, teamId }
      const checkPatch = async () => {}
      const run = await startRun(
        { db, engine, checkPatch },
        dataset.agent_id,
        { dataset_id: dataset.id },
        timestamp(clock()),
        by,
      ).catch(asUsageError)
      // A running service may be quicker: the first process to claim the run works it.
      worker.start(run.id)
      await ended(db, run, showProgress())
      const result = await readRun(db, run.agent_id, run.id)
      print(result, linesOf(result, dataset))
      return result.status === 'done' && result.failed === 0 ? 0 : 1
    } finally {
      await worker.close()
    }
  },
}

async function requiredDataset(db: Kysely<Tables>, name: string, agent: number | null): Promise<DatasetRow> {
  const [found, other] = await selectDatasetsNamed(db, name, agent)
  const where = agent === null ? '' : ` of agent ${agent}`
  if (!found) throw new UsageError(`there is no dataset ${name}${where}`)
  if (other) throw new UsageError(`there are several datasets ${name}${where}: name one by its id`)
  return found
}

/** Turns the refusal of a dataset that cannot be run into a usage error. */
function asUsageError(error: unknown): never {
  throw error instanceof ApiError && error.code === 'invalid_request' ? new UsageError(error.message) : error
}

/** Waits until a run has ended. */
async function ended(
  db: Kysely<Tables>,
  { agent_id, id }: RunRow,
  show: (run: RunRow) => void,
): Promise<void> {
  for (;;) {
    const run = await findRun(db, agent_id, id)
    show(run)
    if (run.state === 'done' || run.state === 'failed') return
    await wait(LOOK_EVERY_MS)
  }
}

/** Shows the number of ended cases on a terminal. */
function showProgress(): (run: RunRow) => void {
  if (!process.stderr.isTTY) return () => {}
  return ({ state, passed, failed, total }) => {
    const isOver = state === 'done' || state === 'failed'
    const shown = `${passed + failed} of ${total} cases, ${failed} failed`
    process.stderr.write(isOver ? '\r\u001b[K' : `\r\u001b[K${shown}`)
  }
}

function linesOf({ id, status, error, total, passed, failed, results }: RunWithResults, dataset: DatasetRow) {
  const lines: Line[] = results.flatMap(({ case_id, status, prompt, response, failures }) =>
    status === 'failed'
      ? [
          `FAILED  case ${case_id}: ${shortened(prompt)}`,
          ...failures.map(({ expectation, reason }) =>
            expectation
              ? `  ${expectation.kind} ${JSON.stringify(expectation.value)}: ${reason}`
              : `  ${reason}`,
          ),
          ...(response === null ? [] : [`  said: ${shortened(response)}`]),
        ]
      : [],
  )
  const what = `Run ${id} of dataset ${dataset.id} "${dataset.name}"`
  const summary =
    status === 'done'
      ? `${what}: ${passed} of ${total} cases passed, ${failed} failed.`
      : `${what} failed: ${error ?? 'it was deleted'}.`
  return [...lines, summary]
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 200).toWellFormed()}…`
}
