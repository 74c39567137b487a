import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { checkWebhook } from './check-webhook.ts'
import type { NewEvaluator } from './schemas.ts'
import { secretPlace } from './secret-place.ts'
import { insertEvaluator, updateEvaluatorRow } from './store.ts'
import type { EvaluatorRow } from './tables.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

/**
 * Stores an evaluator with its secret sealed.
 * @throws ApiError invalid_request when a webhook's address may not be called
 */
export async function createEvaluator(
  { db, box, outbound }: SaveDependencies,
  agentId: number,
  { name, kind, settings, threshold, invert, on_error }: NewEvaluator,
  now: string,
  by: TeamBy,
): Promise<EvaluatorRow> {
  await checkWebhook(settings, outbound)
  return db.transaction().execute(async (db) => {
    const row = await insertEvaluator(db, {
      agent_id: agentId,
      name,
      kind,
      settings: JSON.stringify('secret' in settings ? { ...settings, secret: null } : settings),
      threshold,
      invert: invert ? 1 : 0,
      on_error,
      created_at: now,
      updated_at: now,
    })
    const target = `evaluator ${row.id}`
    await record(db, { ...by, agentId, at: now, action: 'evaluator.created', target })
    if (!('secret' in settings) || settings.secret === null) return row
    // The secret is sealed for its place, which includes the id that exists only now.
    const secret = box.sealFor(settings.url, settings.secret, secretPlace(row.id))
    return updateEvaluatorRow(db, row.id, { settings: JSON.stringify({ ...settings, secret }) })
  })
}
