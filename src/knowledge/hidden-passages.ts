import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Returns the ids of the first passages of a document that searches can find. */
export async function visiblePassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  most: number,
): Promise<number[]> {
  const rows = await visibleOf(db, agentId, documentId).select('id').limit(most).execute()
  return rows.map(({ id }) => id)
}

/** Hides all visible passages of a document, on behalf of an edition. */
export async function hideVisible(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  edition: string,
  now: string,
): Promise<void> {
  await db
    .insertInto('knowledge_hidden')
    .columns(['agent_id', 'passage_id', 'edition', 'hidden_at'])
    .expression(
      visibleOf(db, agentId, documentId).select(({ val }) => [
        'agent_id',
        'id',
        val(edition).as('edition'),
        val(now).as('hidden_at'),
      ]),
    )
    .execute()
}

function visibleOf(db: Kysely<Tables>, agentId: number, documentId: number) {
  return db
    .selectFrom('knowledge_passages')
    .where('document_id', '=', documentId)
    .where('agent_id', '=', agentId)
    .where('id', 'not in', hiddenOf(db, agentId))
}

/** Selects the ids of an agent's hidden passages. */
export function hiddenOf(db: Kysely<Tables>, agentId: number) {
  return db.selectFrom('knowledge_hidden').select('passage_id').where('agent_id', '=', agentId)
}

/** Hides passages from searches, on behalf of an edition. */
export async function hidePassages(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly number[],
  edition: string,
  now: string,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('knowledge_hidden')
    .values(ids.map((passage_id) => ({ agent_id: agentId, passage_id, edition, hidden_at: now })))
    .execute()
}

/** Reveals the passages that were hidden for an edition. Returns their number. */
export async function revealPassages(db: Kysely<Tables>, edition: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('knowledge_hidden')
    .where('edition', '=', edition)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes the hidden mark from some passages of an edition and returns their ids. The caller deletes the passages. */
export async function takeHidden(db: Kysely<Tables>, edition: string, most: number): Promise<number[]> {
  const rows = await db
    .deleteFrom('knowledge_hidden')
    .where('passage_id', 'in', (query) =>
      query
        .selectFrom('knowledge_hidden')
        .select('passage_id')
        .where('edition', '=', edition)
        .orderBy('passage_id')
        .limit(most),
    )
    .returning('passage_id')
    .execute()
  return rows.map(({ passage_id }) => passage_id)
}

/** Finds the editions whose passages have been hidden since before a certain time. */
export async function staleEditions(db: Kysely<Tables>, before: string) {
  return db
    .selectFrom('knowledge_hidden')
    .select(['agent_id', 'edition'])
    .distinct()
    .where('hidden_at', '<', before)
    .execute()
}
