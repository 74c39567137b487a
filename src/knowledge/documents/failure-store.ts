import type { Kysely } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { sourceKey } from './add-document.ts'

type Db = Kysely<Tables>

/**
 * Returns the reason for which a source could not be read when it had this hash; null: it was never tried, or was read.
 */
export async function failureOf(
  db: Db,
  agentId: number,
  source: string,
  hash: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('knowledge_failures')
    .select('reason')
    .where('agent_id', '=', agentId)
    .where('source', '=', sourceKey(source))
    .where('content_hash', '=', hash)
    .executeTakeFirst()
  return row?.reason ?? null
}

/** Remembers why a source cannot be read, so that it is not read again until it changes. */
export async function noteFailure(
  db: Db,
  agentId: number,
  source: string,
  content_hash: string,
  reason: string,
  nowMs: number,
): Promise<void> {
  const failed_at = timestamp(nowMs)
  await db
    .insertInto('knowledge_failures')
    .values({ agent_id: agentId, source: sourceKey(source), content_hash, reason, failed_at })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'source']).doUpdateSet({ content_hash, reason, failed_at }),
    )
    .execute()
}

export async function forgetFailure(db: Db, agentId: number, source: string): Promise<void> {
  await db
    .deleteFrom('knowledge_failures')
    .where('agent_id', '=', agentId)
    .where('source', '=', sourceKey(source))
    .execute()
}
