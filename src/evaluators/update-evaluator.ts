import { changeRules } from '../agents/rules-version.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { parsePart } from '../http/schemas.ts'
import { refuseOutdated } from '../http/version.ts'
import { checkWebhook } from './check-webhook.ts'
import type { SaveDependencies } from './create-evaluator.ts'
import { type KindName, kindOf } from './kinds.ts'
import { type EvaluatorPatch, evaluatorVersion } from './schemas.ts'
import { secretPlace } from './secret-place.ts'
import { lockEvaluators, updateEvaluatorRow } from './store.ts'
import type { EvaluatorRow } from './tables.ts'

type Settings = Record<string, unknown>

/**
 * Merges a patch into an evaluator, its settings field by field. An address of another origin without a secret drops
 * the stored one.
 * @throws ApiError evaluator_not_found, version_outdated, or invalid_request when the result is not valid
 */
export async function updateEvaluator(
  { db, box, outbound }: SaveDependencies,
  agentId: number,
  id: number,
  { version, ...patch }: EvaluatorPatch,
  now: string,
  by: TeamBy,
): Promise<EvaluatorRow> {
  await checkWebhook(patch.settings, outbound)
  return db.transaction().execute(async (db) => {
    await changeRules(db, agentId)
    const [row] = await lockEvaluators(db, agentId, [id])
    if (!row) throw new ApiError('evaluator_not_found')
    refuseOutdated(version, evaluatorVersion(row))
    const { name = row.name, threshold = row.threshold, on_error = row.on_error } = patch
    const { threshold: usual } = kindOf(row.kind as KindName)
    const act = { ...by, agentId, at: now, target: `evaluator ${id}` }
    await record(db, { ...act, action: 'evaluator.changed', details: { changed: Object.keys(patch) } })
    return updateEvaluatorRow(db, id, {
      name,
      settings: patch.settings ? JSON.stringify(merge(row, patch.settings)) : row.settings,
      threshold: threshold ?? usual,
      invert: patch.invert === undefined ? row.invert : patch.invert ? 1 : 0,
      on_error,
      updated_at: now,
    })
  })

  function merge({ kind, settings }: EvaluatorRow, changes: Settings): Settings {
    const { secret: sealed, ...present } = JSON.parse(settings) as Settings
    const merged = Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null)
    const schema = kindOf(kind as KindName).settings
    const parsed = parsePart(schema, Object.fromEntries(merged), 'settings') as Settings
    if (!('secret' in parsed)) return parsed
    return { ...parsed, secret: secretOf(parsed, changes, sealed) }
  }

  function secretOf(parsed: Settings, changes: Settings, sealed: unknown): string | null {
    const url = parsed.url as string
    if (typeof parsed.secret === 'string') return box.sealFor(url, parsed.secret, secretPlace(id))
    if ('secret' in changes || typeof sealed !== 'string') return null
    return box.openFor(url, sealed, secretPlace(id)) === null ? null : sealed
  }
}
