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
import { MOST_REPEATS, type RunWithResults } from '../runs/schemas.ts'
import { startRun } from '../runs/start-run.ts'
import type { DatasetRow, RunRow } from '../runs/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, type Line, requiredId, UsageError } from './command.ts'

const LOOK_EVERY_MS = 200

export const test: Command = {
  name: 'test',
  usage: 'DATASET [--agent ID] [--repeats N] [--may-fail SHARE]',
  summary: 'Run a dataset, named by its id or name, and print what failed; exits 1 when anything did',
  options: { agent: { type: 'string' }, repeats: { type: 'string' }, 'may-fail': { type: 'string' } },
  positionals: 1,
  async run({ config, positionals, options, print }) {
    const agent = options.agent === undefined ? null : requiredId(options.agent, '--agent')
    const repeats = options.repeats === undefined ? 1 : requiredId(options.repeats, '--repeats')
    if (repeats > MOST_REPEATS) throw new UsageError(`--repeats must be ${MOST_REPEATS} at most`)
    const mayFail = shareOf(options['may-fail'], '--may-fail')
    await using foundation = await openFoundation(config)
    const { database, clock } = foundation
    const { db, engine } = database
    const dataset = await requiredDataset(db, positionals[0] ?? '', agent)
    const teamId = await teamOfAgent(db, dataset.agent_id)
    if (teamId === null) throw new UsageError(`there is no agent ${dataset.agent_id}`)
    const worker = await openRunWorker(foundation, createLogger({ logLevel: 'silent' }))
    try {
      const by = { ...byCommandLine, teamId }
      // Only runs with a patch or a cost limit use these, and this run has neither.
      const unused = { checkPatch: async () => {}, nameOfModel: () => '' }
      const run = await startRun(
        { db, engine, ...unused },
        dataset.agent_id,
        { dataset_id: dataset.id, repeats },
        timestamp(clock()),
        by,
      ).catch(asUsageError)
      // A running service may be quicker: the first process to claim the run works it.
      worker.start(run.id)
      await ended(db, run, showProgress())
      const result = await readRun(db, run.agent_id, run.id)
      print(result, linesOf(result, dataset))
      const isFine = result.results.every(({ passed, ran }) => ran - passed <= mayFail * ran + ROUNDING)
      return result.status === 'done' && isFine ? 0 : 1
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

/** A share such as 0.3 of ten repeats is not exactly three of them. */
const ROUNDING = 1e-9

/**
 * Returns the value of an option that must be a number from 0 up to 1; 0 when it is not given.
 * @throws UsageError
 */
function shareOf(value: string | boolean | undefined, name: string): number {
  if (value === undefined) return 0
  const share = typeof value === 'string' && /^(\d+(\.\d+)?|\.\d+)$/.test(value) ? Number(value) : 1
  if (share >= 1) throw new UsageError(`${name} must be a number from 0 up to 1, such as 0.2`)
  return share
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
  return ({ state, done, failed, total, repeats }) => {
    const isOver = state === 'done' || state === 'failed'
    const shown = `${done} of ${total * repeats} answers, ${failed} cases failed`
    process.stderr.write(isOver ? '\r\u001b[K' : `\r\u001b[K${shown}`)
  }
}

function linesOf(run: RunWithResults, dataset: DatasetRow): Line[] {
  const { id, status, error, total, passed, failed, repeats, results } = run
  const what = `Run ${id} of dataset ${dataset.id} "${dataset.name}"`
  const summary =
    status === 'done'
      ? `${what}: ${passed} of ${total} cases passed, ${failed} failed.`
      : `${what} failed: ${error ?? 'it was deleted'}.`
  return [
    ...results.flatMap((result) => (result.status === 'failed' ? linesOfFailure(result, repeats) : [])),
    ...figuresOf(run),
    summary,
  ]
}

function linesOfFailure(
  { case_id, prompt, passed, ran, failures, response }: RunWithResults['results'][number],
  repeats: number,
): Line[] {
  const often = repeats === 1 ? '' : ` (passed ${passed} of ${ran})`
  return [
    `FAILED  case ${case_id}${often}: ${shortened(prompt)}`,
    ...failures.map(({ expectation, reason }) =>
      expectation ? `  ${expectation.kind} ${JSON.stringify(expectation.value)}: ${reason}` : `  ${reason}`,
    ),
    ...(response === null ? [] : [`  said: ${shortened(response)}`]),
  ]
}

/** Returns the lines of those figures that tell more than how many cases passed. */
function figuresOf({ pass_rate, repeats, recall, used, documents_changed }: RunWithResults): Line[] {
  const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
  return [
    ...(pass_rate && repeats > 1
      ? [
          `Pass rate: ${percent(pass_rate.mean)} on average, ${percent(pass_rate.min)} to ${percent(pass_rate.max)} across repeats.`,
        ]
      : []),
    ...(recall
      ? [
          `Pages: ${percent(recall.found)} of ${recall.expected} found, ${percent(recall.first_three)} among the first three.`,
        ]
      : []),
    ...(used && used.calls > 0
      ? [
          `Model calls: ${used.calls}, tokens: ${used.prompt_tokens} in, ${used.completion_tokens} out${used.cost === null ? '' : `, cost: ${used.cost}`}.`,
        ]
      : []),
    ...(documents_changed ? ['The documents changed during the run.'] : []),
  ]
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 200).toWellFormed()}…`
}
