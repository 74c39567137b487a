import type { Kysely, Updateable } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { timestamp } from '../../lib/clock.ts'
import { prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { dueAgain, wantedAt } from '../../work/work-columns.ts'
import type { KnowledgeEmbeddingsRow, KnowledgeEmbeddingsTable } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for passages that have no vectors yet. */
export const EMBEDDINGS = 'embeddings'

/** A due time that is always past. */
const NOW = '1970-01-01T00:00:00.000Z'

export const embeddingQueue = queueOf('knowledge_embeddings', byAgent)

/** Notes that passages of an agent are about to change. Locks the agent's row until the transaction ends. */
export async function passagesChange(db: Db, agentId: number): Promise<void> {
  await db
    .insertInto('knowledge_embeddings')
    .values({ agent_id: agentId, changes: 1, due_at: NOW })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet(({ eb, ref }) => ({
        changes: eb(ref('knowledge_embeddings.changes'), '+', 1),
        ...wantedAt('knowledge_embeddings', NOW),
      })),
    )
    .execute()
  wake(db, EMBEDDINGS)
}

/** Makes an agent due, because its embedding server may have changed. */
export async function lookAtAgent(db: Db, agentId: number, nowMs: number): Promise<void> {
  await db
    .updateTable('knowledge_embeddings')
    .set(dueAgain(timestamp(nowMs)))
    .where('agent_id', '=', agentId)
    .execute()
}

/** Makes every agent due, because the settings of the service may have changed. */
export async function lookAtAll(db: Db, nowMs: number): Promise<void> {
  await db
    .updateTable('knowledge_embeddings')
    .set(dueAgain(timestamp(nowMs)))
    .execute()
}

/** Notes why an agent's vectors cannot serve as they are, and makes the agent due. */
export async function noteMismatch(db: Db, agentId: number, error: string, now: string): Promise<void> {
  await db
    .updateTable('knowledge_embeddings')
    .set({ error, failed_at: now, ...dueAgain(now) })
    .where('agent_id', '=', agentId)
    .where('error', 'is', null)
    .execute()
  wake(db, EMBEDDINGS)
}

/** Notes that there is nothing to do, unless passages or settings have changed since the agent was claimed. */
export async function settleDone(db: Db, { id, changes, due_at }: KnowledgeEmbeddingsRow): Promise<void> {
  await db
    .updateTable('knowledge_embeddings')
    .set({ due_at: null })
    .where('id', '=', id)
    .where('changes', '=', changes)
    .where('due_at', '=', due_at)
    .execute()
}

export async function updateEmbedding(
  db: Db,
  id: number,
  values: Updateable<KnowledgeEmbeddingsTable>,
): Promise<void> {
  await db.updateTable('knowledge_embeddings').set(values).where('id', '=', id).execute()
}

/** Selects the progress of an agent's vectors; nothing for an agent that never had documents. */
export const selectEmbedding = prepared<{ agentId: number }, KnowledgeEmbeddingsRow>((db, param) =>
  db.selectFrom('knowledge_embeddings').selectAll().where('agent_id', '=', param('agentId')),
)
