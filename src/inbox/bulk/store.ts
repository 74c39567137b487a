import { type Kysely, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { countRows } from '../../storage/count-rows.ts'
import { deleteSome } from '../../storage/delete-some.ts'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import { lockedRowOfAgent, rowOfAgent } from '../../storage/rows-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { takenOver } from '../../work/lease.ts'
import { queueOf } from '../../work/queue.ts'
import type { BulkActRow } from '../tables.ts'

type Db = Kysely<Tables>

const acts = (db: Db) => db.selectFrom('bulk_acts').selectAll()

export const bulkQueue = queueOf('bulk_acts', {
  ...byAgent,
  open: sql<boolean>`finished_at is null`,
  due: sql<string>`coalesce(due_at, created_at)`,
})

/**
 * Cancels an act that has not begun, and takes its lease from any worker that gathers for it. Returns true if it did.
 */
export async function cancelBulkAct(db: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_acts')
    .set({ state: 'cancelled', filter: null, starts_at: null, finished_at: now, ...takenOver('bulk_acts') })
    .where('id', '=', id)
    .where('starts_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Counts the acts of an agent that are not finished. */
export function countOpenActs(db: Db, agentId: number): Promise<number> {
  return countRows(
    db.selectFrom('bulk_acts').where('agent_id', '=', agentId).where('finished_at', 'is', null),
  )
}

export async function insertBulkAct(
  db: Db,
  row: Pick<
    BulkActRow,
    'agent_id' | 'team_id' | 'action' | 'filter' | 'actor' | 'state' | 'matched' | 'created_at' | 'starts_at'
  >,
): Promise<BulkActRow> {
  return db
    .insertInto('bulk_acts')
    .values({ ...row, leased_until: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const selectBulkAct = rowOfAgent(acts)

/** Reads an act of an agent and keeps others from changing it until the transaction ends. */
export const lockBulkAct = lockedRowOfAgent(acts)

/** Notes the act that undoes another. */
export async function setUndoneBy(db: Db, id: number, undoneBy: number): Promise<void> {
  await db.updateTable('bulk_acts').set({ undone_by: undoneBy }).where('id', '=', id).execute()
}

type Progress = Pick<
  BulkActRow,
  | 'state'
  | 'filter'
  | 'matched'
  | 'done'
  | 'changed'
  | 'skipped'
  | 'undoable'
  | 'starts_at'
  | 'due_at'
  | 'finished_at'
>

/** Stores the progress of an act, in a transaction that holds its lease. */
export async function updateBulkAct(db: Db, id: number, values: Partial<Progress>): Promise<void> {
  await db.updateTable('bulk_acts').set(values).where('id', '=', id).execute()
}

const insertItems = preparedInsert<{ bulk_id: number; conversation_id: string }>(
  'bulk_items',
  ['bulk_id', 'conversation_id'],
  (insert) => insert.onConflict((conflict) => conflict.doNothing()),
)

/** Adds conversations to an act, each once, and returns the number of those that were not there before. */
export async function addItems(db: Db, bulkId: number, ids: readonly string[]): Promise<number> {
  const present = await db
    .selectFrom('bulk_items')
    .select('conversation_id')
    .where('bulk_id', '=', bulkId)
    .where('conversation_id', 'in', ids)
    .execute()
  const known = new Set(present.map(({ conversation_id }) => conversation_id))
  const added = [...new Set(ids)].filter((id) => !known.has(id))
  await insertItems(
    db,
    added.map((conversation_id) => ({ bulk_id: bulkId, conversation_id })),
  )
  return added.length
}

/** Reads some of the conversations that an act still has to process. */
export async function selectItems(db: Db, bulkId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bulk_items')
    .select('conversation_id')
    .where('bulk_id', '=', bulkId)
    .orderBy('conversation_id')
    .limit(limit)
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}

export async function deleteItem(db: Db, bulkId: number, conversationId: string): Promise<void> {
  await db
    .deleteFrom('bulk_items')
    .where('bulk_id', '=', bulkId)
    .where('conversation_id', '=', conversationId)
    .execute()
}

/** Deletes items that are left of finished acts; returns the number deleted. */
export function deleteItemsOfFinished(db: Db, limit: number): Promise<number> {
  const left = db
    .selectFrom('bulk_items')
    .innerJoin('bulk_acts', 'bulk_acts.id', 'bulk_items.bulk_id')
    .select(['bulk_id', 'conversation_id'])
    .where('finished_at', 'is not', null)
    .limit(limit)
  return deleteSome(db, 'bulk_items', ['bulk_id', 'conversation_id'], left)
}

/** Deletes acts that finished before a time; returns the number deleted. */
export function deleteBulkActsBefore(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('bulk_acts').select('id').where('finished_at', '<', before).limit(limit)
  return deleteSome(db, 'bulk_acts', ['id'], old)
}
