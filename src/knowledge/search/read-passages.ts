import { type Kysely, sql } from 'kysely'
import type { FoundPassage } from '../../model/findings.ts'
import { prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { hiddenOf } from '../hidden-passages.ts'

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
  const select = selectBeside.getOrInsertComputed(ids.length, besideSome)
  return unmatched(await select(db, { ...ids, agentId }))
}

/** The prepared queries by the number of passages. Most prompts ask for the same number. */
const selectBeside = new Map<number, ReturnType<typeof besideSome>>()

function besideSome(count: number) {
  return prepared<Record<number, number> & { agentId: number }, Read>((db, param) =>
    visible(db, param('agentId'))
      .innerJoin('knowledge_passages as other', (join) =>
        join
          .onRef('other.document_id', '=', 'passage.document_id')
          .onRef('other.heading', '=', 'passage.heading')
          .on(sql<boolean>`abs(other.position - passage.position) = 1`),
      )
      .where(
        'other.id',
        'in',
        Array.from({ length: count }, (_, at) => param(at)),
      )
      .orderBy('passage.id'),
  )
}

/** Reads all passages of an agent in their order; null: there are more than `most`. */
export async function allPassages(db: Db, agentId: number, most: number): Promise<FoundPassage[] | null> {
  const rows = await selectAll(db, { agentId, limit: most + 1 })
  return rows.length > most ? null : unmatched(rows)
}

const selectAll = prepared<{ agentId: number; limit: number }, Read>((db, param) =>
  visible(db, param('agentId')).orderBy('passage.id').limit(param('limit')),
)

/** Reads the texts of an agent's oldest and newest passages, so many of each. */
export async function samplePassages(db: Db, agentId: number, atEachEnd: number): Promise<string[]> {
  const ends = await Promise.all(
    (['asc', 'desc'] as const).map((order) =>
      visible(db, agentId).orderBy('passage.id', order).limit(atEachEnd).execute(),
    ),
  )
  return [...new Map(ends.flat().map(({ id, text }) => [id, text])).values()]
}

/** The columns that are read of each passage. */
export const PASSAGE_COLUMNS = [
  'passage.id',
  'document.source',
  'document.title',
  'document.url',
  'passage.heading',
  'passage.anchor',
  'passage.text',
] as const

function visible(db: Db, agentId: number) {
  return db
    .selectFrom('knowledge_passages as passage')
    .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
    .select(PASSAGE_COLUMNS)
    .where('passage.agent_id', '=', agentId)
    .where('passage.id', 'not in', hiddenOf(db, agentId))
    .where(sql<boolean>`document.content_hash <> ''`)
}

type Read = Omit<FoundPassage, 'score' | 'coverage' | 'confidence' | 'similarity'>

/** Adds the scores of passages that no search found. */
function unmatched(passages: readonly Read[]): FoundPassage[] {
  return passages.map((passage) => ({ ...passage, score: 0, coverage: 0, confidence: 0, similarity: null }))
}
