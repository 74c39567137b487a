import { type Kysely, sql } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import { prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { hiddenOf } from '../hidden-passages.ts'

type Db = Kysely<Tables>

/** The model and dimension of vectors. Only vectors of one space are compared. */
export interface Space {
  model: string
  dimension: number
}

export interface UnembeddedPassage {
  id: number
  document_id: number
  title: string
  heading: string
  text: string
  /** Other ways to ask for its document. */
  questions: string[]
}

/**
 * Reads the next passages of an agent, in the order of their ids, and whether each has a vector.
 * @param after the id of the last passage that was looked at
 */
export async function passagesAfter(
  db: Db,
  agentId: number,
  { model, dimension }: Space,
  after: number,
  limit: number,
): Promise<{ id: number; isEmbedded: boolean; isSkipped: boolean }[]> {
  const rows = await db
    .selectFrom('knowledge_passages as passage')
    .leftJoin('knowledge_vectors as vector', (join) =>
      join
        .onRef('vector.passage_id', '=', 'passage.id')
        .on('vector.model', '=', model)
        .on('vector.dimension', '=', dimension),
    )
    .select(['passage.id', 'vector.id as vector_id', sql<number | null>`length(vector.vector)`.as('bytes')])
    .where('passage.agent_id', '=', agentId)
    .where('passage.id', '>', after)
    .where('passage.id', 'not in', hiddenOf(db, agentId))
    .orderBy('passage.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, vector_id, bytes }) => ({
    id,
    isEmbedded: vector_id !== null,
    isSkipped: bytes !== null && Number(bytes) === 0,
  }))
}

export async function selectPassages(db: Db, ids: readonly number[]): Promise<UnembeddedPassage[]> {
  const rows = await db
    .selectFrom('knowledge_passages as passage')
    .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
    .leftJoin('knowledge_texts as whole', 'whole.document_id', 'passage.document_id')
    .select([
      'passage.id',
      'passage.document_id',
      'document.title',
      'passage.heading',
      'passage.text',
      'whole.questions',
    ])
    .where('passage.id', 'in', ids)
    .orderBy('passage.id')
    .execute()
  return rows.map(({ questions, ...passage }) => ({ ...passage, questions: JSON.parse(questions ?? '[]') }))
}

/** Reads the vectors of some passages, each with the id of its document. */
export async function vectorsOf(
  db: Db,
  agentId: number,
  { model, dimension }: Space,
  passageIds: readonly number[],
): Promise<{ document_id: number; vector: Float32Array }[]> {
  const rows = await db
    .selectFrom('knowledge_vectors as vector')
    .innerJoin('knowledge_passages as passage', 'passage.id', 'vector.passage_id')
    .select(['passage.document_id', 'vector.vector'])
    .where('vector.agent_id', '=', agentId)
    .where('vector.passage_id', 'in', passageIds)
    .where('vector.model', '=', model)
    .where('vector.dimension', '=', dimension)
    .execute()
  return rows
    .filter(({ vector }) => vector.byteLength === dimension * 4)
    .map(({ document_id, vector }) => ({
      document_id,
      vector: new Float32Array(Uint8Array.from(vector).buffer),
    }))
}

/** Stores vectors of those passages that still exist. */
export async function insertVectors(
  db: Db,
  agentId: number,
  { model, dimension }: Space,
  vectors: readonly { passageId: number; vector: Uint8Array }[],
): Promise<void> {
  const ids = vectors.map(({ passageId }) => passageId)
  const rows = await db
    .selectFrom('knowledge_passages')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
  const present = new Set(rows.map(({ id }) => id))
  const values = vectors
    .filter(({ passageId }) => present.has(passageId))
    .map(({ passageId, vector }) => ({ agent_id: agentId, passage_id: passageId, model, dimension, vector }))
  if (values.length === 0) return
  await db
    .insertInto('knowledge_vectors')
    .values(values)
    .onConflict((conflict) => conflict.columns(['passage_id', 'model', 'dimension']).doNothing())
    .execute()
}

/** Selects the next vectors of a space, in the order in which they were made, without their bytes. */
export const vectorIdsAfter = prepared<
  { agentId: number; model: string; dimension: number; after: number; limit: number },
  { id: number; passage_id: number }
>((db, param) =>
  db
    .selectFrom('knowledge_vectors')
    .select(['id', 'passage_id'])
    .where('agent_id', '=', param('agentId'))
    .where('model', '=', param('model'))
    .where('dimension', '=', param('dimension'))
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit')),
)

/** Selects the next vectors of a space with their bytes. */
export const vectorsAfter = prepared<
  { agentId: number; model: string; dimension: number; after: number; limit: number },
  { id: number; passage_id: number; vector: Uint8Array }
>((db, param) =>
  db
    .selectFrom('knowledge_vectors')
    .select(['id', 'passage_id', 'vector'])
    .where('agent_id', '=', param('agentId'))
    .where('model', '=', param('model'))
    .where('dimension', '=', param('dimension'))
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit')),
)

export function countVectors(db: Db, agentId: number, { model, dimension }: Space): Promise<number> {
  return countRows(
    db
      .selectFrom('knowledge_vectors')
      .where('agent_id', '=', agentId)
      .where('model', '=', model)
      .where('dimension', '=', dimension),
  )
}

/** Deletes some of an agent's vectors of other spaces than one. Returns whether there may be more. */
export async function deleteOtherVectors(
  db: Db,
  agentId: number,
  { model, dimension }: Space,
  most: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('knowledge_vectors')
    .where('id', 'in', (query) =>
      query
        .selectFrom('knowledge_vectors')
        .select('id')
        .where('agent_id', '=', agentId)
        .where(({ eb, or }) => or([eb('model', '!=', model), eb('dimension', '!=', dimension)]))
        .limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) === most
}
