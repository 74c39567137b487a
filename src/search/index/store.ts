import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../storage/engine.ts'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SearchPartsTable, SearchWordsTable } from '../tables.ts'
import type { SearchKind } from './searched-texts.ts'

type Db = Kysely<Tables>

/** The purpose of the lock under which an agent's index is written. */
const INDEX = 29

/** Locks an agent's index for writing until the transaction ends. */
export async function lockIndex(db: Db, engine: Pick<Engine, 'lock'>, agentId: number): Promise<void> {
  await engine.lock(db, INDEX, agentId)
}

/**
 * Selects an agent's texts that wait to be indexed. The kind is a literal, so that the partial index of waiting notes
 * can be used.
 */
export function pendingOf(db: Db, agentId: number, kind: SearchKind) {
  return db
    .selectFrom('search_pending')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('kind', '=', sql.lit(kind))
}

/** Removes texts from the queue and returns them as they were. */
export async function takePending(db: Db, agentId: number, kind: SearchKind, ids: readonly number[]) {
  return db
    .deleteFrom('search_pending')
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .returning(['id', 'version'])
    .execute()
}

/** Records that waiting texts were replaced, and returns the ids of those that were waiting. */
export async function markReplaced(
  db: Db,
  agentId: number,
  kind: SearchKind,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .updateTable('search_pending')
    .set((row) => ({ version: sql<number>`${row.ref('version')} + 1` }))
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const insertPending = preparedInsert<{ agent_id: number; id: number; kind: SearchKind }>(
  'search_pending',
  ['agent_id', 'id', 'kind'],
  (insert) => insert.onConflict((conflict) => conflict.doNothing()),
)

/** Returns the agents with at least this many waiting texts. Costs one index seek for each agent that has any. */
export async function agentsWithPending(db: Db, least: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive waiting(id) as (
      select min(agent_id) from search_pending
      union all
      select (select min(agent_id) from search_pending where agent_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select id from waiting where id is not null and exists (
      select 1 from search_pending where agent_id = waiting.id limit 1 offset ${sql.lit(least - 1)}
    )`.execute(db)
  return rows.map(({ id }) => Number(id))
}

/** Counts the texts that wait to be indexed. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('search_pending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Reads the blocks of an agent's index, those with the newest texts first. */
export async function blocksOf(db: Db, agentId: number, kind: SearchKind) {
  return db
    .selectFrom('search_blocks')
    .select(['id', 'number'])
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .orderBy('number', 'desc')
    .execute()
}

/** Reads the block at one end of an agent's index, and how many parts and texts it has. */
export async function blockAtEnd(db: Db, agentId: number, kind: SearchKind, end: 'newest' | 'oldest') {
  return db
    .selectFrom('search_blocks')
    .leftJoin('search_parts', 'search_parts.block_id', 'search_blocks.id')
    .select(({ fn }) => [
      'search_blocks.id',
      'search_blocks.number',
      fn.count<number>('search_parts.part').as('parts'),
      fn.coalesce(fn.sum<number>('search_parts.texts'), sql<number>`0`).as('texts'),
    ])
    .where('search_blocks.id', '=', ({ selectFrom }) =>
      selectFrom('search_blocks as at_end')
        .select('at_end.id')
        .where('at_end.agent_id', '=', agentId)
        .where('at_end.kind', '=', kind)
        .orderBy('at_end.number', end === 'newest' ? 'desc' : 'asc')
        .limit(1),
    )
    .groupBy(['search_blocks.id', 'search_blocks.number'])
    .executeTakeFirst()
}

export async function addBlock(db: Db, agentId: number, kind: SearchKind, number: number): Promise<number> {
  const { id } = await db
    .insertInto('search_blocks')
    .values({ agent_id: agentId, kind, number })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function addPart(db: Db, part: SearchPartsTable): Promise<void> {
  await db.insertInto('search_parts').values(part).execute()
}

export const insertWords = preparedInsert<SearchWordsTable>('search_words', [
  'block_id',
  'word',
  'part',
  'postings',
])

const PARTS_READ = 64

/** Yields parts that may hold texts in a range of ids, lowest ids first. Some of them may hold none. */
export async function* partsBetween(
  db: Db,
  agentId: number,
  kind: SearchKind,
  least: number,
  most: number,
): AsyncGenerator<{ block_id: number; part: number; ids: Uint8Array }> {
  let after = least - 1
  for (;;) {
    const found = await db
      .selectFrom('search_parts')
      .select(['block_id', 'part', 'least_id', 'most_id'])
      .where('agent_id', '=', agentId)
      .where('kind', '=', kind)
      .where('most_id', '>', after)
      .orderBy('most_id')
      .limit(PARTS_READ)
      .execute()
    const near = found.filter(({ least_id }) => least_id <= most)
    for (const { block_id, part } of near) {
      const row = await idsOf(db, block_id, part)
      if (row) yield { block_id, part, ids: row }
    }
    // Transactions that commit late only mix neighbouring parts.
    if (found.length < PARTS_READ || near.length === 0) return
    after = found.at(-1)?.most_id ?? after
  }
}

/** Reads the ids of a part as they are stored; null: the part is gone. */
export async function idsOf(db: Db, blockId: number, part: number): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('search_parts')
    .select('ids')
    .where('block_id', '=', blockId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.ids ?? null
}

/** Reads the parts with texts written between two times, and tells whether all of their texts were. */
export async function partsWithin(
  db: Db,
  agentId: number,
  kind: SearchKind,
  from: string | null,
  to: string | null,
): Promise<{ block_id: number; number: number; part: number; isInside: boolean }[]> {
  let query = db
    .selectFrom('search_parts')
    .innerJoin('search_blocks', 'search_blocks.id', 'search_parts.block_id')
    .select(['block_id', 'number', 'part', 'from_at', 'to_at'])
    .where('search_parts.agent_id', '=', agentId)
    .where('search_parts.kind', '=', kind)
  if (from !== null) query = query.where('to_at', '>=', from)
  if (to !== null) query = query.where('from_at', '<', to)
  const rows = await query.execute()
  return rows.map(({ block_id, number, part, from_at, to_at }) => ({
    block_id,
    number,
    part,
    isInside: (from === null || from_at >= from) && (to === null || to_at < to),
  }))
}

/** Removes the entries of some words from a part and returns them. */
export async function takeWords(
  db: Db,
  blockId: number,
  part: number,
  words: readonly string[],
): Promise<Pick<SearchWordsTable, 'word' | 'postings'>[]> {
  return db
    .deleteFrom('search_words')
    .where('block_id', '=', blockId)
    .where('word', 'in', words)
    .where('part', '=', part)
    .returning(['word', 'postings'])
    .execute()
}

export async function readBackfill(db: Db) {
  return db.selectFrom('search_backfill').selectAll().orderBy('kind').execute()
}

/** Moves the backfill on. Returns false if another process has done so. */
export async function advanceBackfill(db: Db, kind: SearchKind, from: number, to: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('search_backfill')
    .set({ next_id: to })
    .where('kind', '=', kind)
    .where('next_id', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
