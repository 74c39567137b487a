import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import type { CheckPatch } from '../agents/check-patch.ts'
import { requireRoom } from '../agents/require-room.ts'
import { newestVersion } from '../agents/versions/store.ts'
import { settingsOfVersion } from '../agents/versions/version-settings.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr, invalidField } from '../errors.ts'
import { listEvaluators } from '../evaluators/find-evaluator.ts'
import { inTurnOfRedactions } from '../privacy/in-turn-of-redactions.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { countCases } from './case-store.ts'
import { lockDataset } from './dataset-store.ts'
import { withoutSecrets } from './pinned-evaluators.ts'
import { countOpenRuns, insertRun } from './run-store.ts'
import type { NewRun } from './schemas.ts'
import { patchedSettings, refuseKeys } from './settings-of-run.ts'
import type { RunRow } from './tables.ts'

/** The topic of wake-ups that say that a run waits. */
export const TEST_RUNS = 'test_runs'

/** The most answers of a run: cases times repeats. */
const MOST_ANSWERS = 2000

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'lock' | 'locksRows'>
  /** Checks what the schema of a patch cannot, such as where its addresses lead. */
  checkPatch: CheckPatch
  /** Returns the name by which requests ask for an agent's model. */
  nameOfModel: (agent: Agent) => string
}

/**
 * Stores a run with copies of the cases, the settings and the evaluators as they are now.
 * @throws ApiError dataset_not_found, version_not_found, too_many_runs, invalid_request
 */
export async function startRun(
  { db, engine, checkPatch, nameOfModel }: Dependencies,
  agentId: number,
  { dataset_id, version: wanted, settings: given, repeats = 1, cost_limit }: NewRun,
  now: string,
  by: TeamBy,
): Promise<RunRow> {
  if (wanted !== undefined && given) throw invalidField('settings', 'is not given together with `version`.')
  const patch = wanted === undefined ? (given ?? {}) : await settingsOfVersion(db, agentId, wanted)
  refuseKeys(patch)
  await checkPatch(patch, given ? (await readAgent(db, agentId)).settings : null)
  // The copies of cases hold texts of completions, which no redaction may miss.
  return inTurnOfRedactions(db, engine, agentId, async (db) => {
    const dataset = foundOr(await lockDataset(db, agentId, dataset_id), 'dataset_not_found')
    const total = await countCases(db, dataset.id)
    if (total === 0) throw invalidField('dataset_id', 'the dataset has no cases.')
    if (total * repeats > MOST_ANSWERS)
      throw invalidField(
        'repeats',
        `${total} cases can be repeated ${Math.floor(MOST_ANSWERS / total)} times.`,
      )
    await requireRoom(db, agentId, 'runs', () => countOpenRuns(db, agentId))
    const agent = await readAgent(db, agentId)
    const settings = patchedSettings(agent.settings, patch)
    if (cost_limit !== undefined) {
      const name = nameOfModel({ ...agent, settings })
      if (!Object.hasOwn(settings.prices, name))
        throw invalidField('cost_limit', `the settings have no price of the model ${name} in \`prices\`.`)
    }
    const version = wanted ?? (given ? 0 : await newestVersion(db, agentId))
    const run = await insertRun(db, {
      agent_id: agentId,
      dataset_id: dataset.id,
      version: version || null,
      settings: JSON.stringify(settings),
      evaluators: JSON.stringify(withoutSecrets(await listEvaluators(db, agentId))),
      state: 'queued',
      repeats,
      cost_limit: cost_limit ?? null,
      done: 0,
      total,
      created_at: now,
    })
    const target = `run ${run.id}`
    await record(db, {
      ...by,
      agentId,
      at: now,
      action: 'run.started',
      target,
      details: { dataset_id: dataset.id },
    })
    wake(db, TEST_RUNS)
    return run
  })
}
