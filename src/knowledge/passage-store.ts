import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { calibrationChanges } from './calibration/calibration-store.ts'
import { passagesChange } from './vectors/embedding-store.ts'

interface Totals {
  passages: number
  words: number
}

/** Returns the number of an agent's passages, including those that are being written or removed. */
export async function countPassages(db: Kysely<Tables>, agentId: number): Promise<number> {
  const row = await db
    .selectFrom('knowledge_totals')
    .select('passages')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.passages ?? 0
}

/**
 * Locks an agent's row of totals until the transaction ends, and creates it when it is missing. Must come before all
 * other writes, so that writers of one agent's documents wait for each other only here. It also makes the agent due for
 * new vectors and for a new calibration.
 */
export async function lockTotals(db: Kysely<Tables>, agentId: number): Promise<void> {
  await addToTotals(db, agentId, { passages: 0, words: 0 })
  await passagesChange(db, agentId)
  await calibrationChanges(db, agentId)
}

/** Removes passages from the index and from the agent's totals. */
export async function deletePassages(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const removed = await db
    .deleteFrom('knowledge_passages')
    .where('id', 'in', ids)
    .where('agent_id', '=', agentId)
    .returning('length')
    .execute()
  await addToTotals(db, agentId, {
    passages: -removed.length,
    words: -removed.reduce((sum, { length }) => sum + length, 0),
  })
  const entries = await db
    .deleteFrom('knowledge_words')
    .where('passage_id', 'in', ids)
    .where('agent_id', '=', agentId)
    .returning('word')
    .execute()
  const counted = new Map<string, number>()
  for (const { word } of entries) counted.set(word, (counted.get(word) ?? 0) - 1)
  await addToVocabulary(db, agentId, [...counted])
  for (const { part } of inParts([...counted.keys()], WORDS_AT_ONCE)) {
    await db
      .deleteFrom('knowledge_vocabulary')
      .where('agent_id', '=', agentId)
      .where('word', 'in', part)
      .where('passages', '=', 0)
      .execute()
  }
}

async function addToTotals(db: Kysely<Tables>, agentId: number, { passages, words }: Totals) {
  await db
    .insertInto('knowledge_totals')
    .values({ agent_id: agentId, passages, words })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet(({ eb, ref }) => ({
        passages: eb(ref('knowledge_totals.passages'), '+', ref('excluded.passages')),
        words: eb(ref('knowledge_totals.words'), '+', ref('excluded.words')),
      })),
    )
    .execute()
}

async function addToVocabulary(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly [word: string, passages: number][],
): Promise<void> {
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db
      .insertInto('knowledge_vocabulary')
      .values(part.map(([word, passages]) => ({ agent_id: agentId, word, passages })))
      .onConflict((conflict) =>
        conflict.columns(['agent_id', 'word']).doUpdateSet(({ eb, ref }) => ({
          passages: eb(ref('knowledge_vocabulary.passages'), '+', ref('excluded.passages')),
        })),
      )
      .execute()
  }
}

export interface PassageRecord {
  heading: string
  anchor: string
  text: string
  length: number
  counts: ReadonlyMap<string, number>
}

const WORDS_AT_ONCE = 500

/**
 * Writes some of a document's passages in their order, the index of their words, and the agent's totals.
 * @param from the position of the first of them in the document
 * @returns their ids
 */
export async function insertPassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  passages: readonly PassageRecord[],
  from: number,
): Promise<number[]> {
  await addToTotals(db, agentId, {
    passages: passages.length,
    words: passages.reduce((sum, { length }) => sum + length, 0),
  })
  const ids = await db
    .insertInto('knowledge_passages')
    .values(
      passages.map(({ counts: _, ...passage }, at) => ({
        ...passage,
        agent_id: agentId,
        document_id: documentId,
        position: from + at,
      })),
    )
    .returning(['id', 'position'])
    .execute()
  const vocabulary = new Map<string, number>()
  const words: { agent_id: number; word: string; passage_id: number; count: number; length: number }[] = []
  for (const { id, position } of ids) {
    const { counts, length } = passages[position - from] ?? { counts: new Map<string, number>(), length: 0 }
    for (const [word, count] of counts) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
      words.push({ agent_id: agentId, word, passage_id: id, count, length })
    }
  }
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db.insertInto('knowledge_words').values(part).execute()
  }
  await addToVocabulary(db, agentId, [...vocabulary])
  return ids.map(({ id }) => id)
}

/** Splits a list, because a statement accepts only so many parameters. */
function* inParts<Item>(items: readonly Item[], size: number): Generator<{ from: number; part: Item[] }> {
  for (let from = 0; from < items.length; from += size) yield { from, part: items.slice(from, from + size) }
}
