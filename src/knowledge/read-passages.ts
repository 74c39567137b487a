import { type Kysely, sql } from 'kysely'
import type { FoundPassage } from '../model/findings.ts'
import type { Tables } from '../storage/tables.ts'
import { hiddenOf } from './store.ts'

type Db = Kysely<Tables>

/** Reads an agent's passages by their ids, except those that searches must not find. */
export async function passagesByIds(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<FoundPassage[]> {
  return unmatched(await visible(db, agentId).where('passage.id', 'in', ids).execute())
}

/** Reads the other passages under the same heading that stand beside some, in the order of their documents. */
export async function passagesBeside(
  db: Db,
  agentId: number,
  ids: readonly number[],
): Promise<FoundPassage[]> {
  if (ids.length === 0) return []
  const rows = await visible(db, agentId)
    .innerJoin('knowledge_passages as other', (join) =>
      join
        .onRef('other.document_id', '=', 'passage.document_id')
        .onRef('other.heading', '=', 'passage.heading')
        .on(sql<boolean>`abs(other.position - passage.position) = 1`),
    )
    .where('other.id', 'in', ids)
    .orderBy('passage.id')
    .execute()
  return unmatched(rows)
}

/** Reads all passages of an agent in their order; null: there are more than `most`. */
export async function allPassages(db: Db, agentId: number, most: number): Promise<FoundPassage[] | null> {
  const rows = await visible(db, agentId)
    .orderBy('passage.id')
    .limit(most + 1)
    .execute()
  return rows.length > most ? null : unmatched(rows)
}

function visible(db: Db, agentId: number) {
  return db
    .selectFrom('knowledge_passages as passage')
    .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
    .select([
      'passage.id',
      'document.title',
      'document.url',
      'passage.heading',
      'passage.anchor',
      'passage.text',
    ])
    .where('passage.agent_id', '=', agentId)
    .where('passage.id', 'not in', hiddenOf(db, agentId))
    .where(sql<boolean>`document.content_hash <> ''`)
}

type Read = Omit<FoundPassage, 'score' | 'coverage' | 'confidence' | 'similarity'>

/** Adds what a search would tell of passages that it did not find. */
function unmatched(passages: readonly Read[]): FoundPassage[] {
  return passages.map((passage) => ({ ...passage, score: 0, coverage: 0, confidence: 0, similarity: null }))
}
