import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { countRows } from '../storage/count-rows.ts'
import { selectMergedPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { ErasureRow } from './tables.ts'

type Db = Kysely<Tables>

/** The columns that identify an erasure while it goes on. */
type ErasureName = Pick<ErasureRow, 'agent_id' | 'subject' | 'mode'>

/** Opens an erasure, unless one of its name goes on. */
export async function openErasure(db: Db, row: Omit<ErasureRow, 'finished_at' | 'signed'>): Promise<void> {
  await db
    .insertInto('erasures')
    .values({ ...row, finished_at: null, signed: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Reads the erasure of a name that goes on, and locks it where `isLocking`. */
export async function readOpenErasure(
  db: Db,
  { agent_id, subject, mode }: ErasureName,
  isLocking: boolean,
): Promise<ErasureRow | undefined> {
  const query = db
    .selectFrom('erasures')
    .selectAll()
    .where('agent_id', '=', agent_id)
    .where('subject', '=', subject)
    .where('mode', '=', mode)
    .where('finished_at', 'is', null)
  return (isLocking ? query.forNoKeyUpdate() : query).executeTakeFirst()
}

export async function writeErased(db: Db, id: string, erased: string): Promise<void> {
  await db.updateTable('erasures').set({ erased }).where('id', '=', id).execute()
}

/** Finishes an erasure; returns false if it was finished or something was added since it was read. */
export async function finishErasure(
  db: Db,
  { id, erased }: Pick<ErasureRow, 'id' | 'erased'>,
  values: Pick<ErasureRow, 'finished_at' | 'signed'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erasures')
    .set(values)
    .where('id', '=', id)
    .where('erased', '=', erased)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the accounts and receipts of an agent of the demo, whose erasures were of invented people. */
export async function forgetErasures(db: Db, agentId: number): Promise<void> {
  await db.deleteFrom('erasures').where('agent_id', '=', agentId).execute()
}

/** Returns those of some subjects of an agent that were erased, or are being erased. */
export async function erasedOf(db: Db, agentId: number, subjects: readonly string[]): Promise<Set<string>> {
  if (subjects.length === 0) return new Set()
  const found = await db
    .selectFrom('erasures')
    .select('subject')
    .where('agent_id', '=', agentId)
    .where('subject', 'in', subjects)
    .execute()
  return new Set(found.map(({ subject }) => subject))
}

/** Returns the signed receipt of a finished erasure. */
export async function selectSigned(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('erasures').select('signed').where('id', '=', id).executeTakeFirst()
  return row?.signed ?? null
}

/** A finished erasure in a list. */
export type FinishedErasure = Pick<ErasureRow, 'id' | 'finished_at' | 'signed' | 'subject'>

/** Reads a page of finished erasures, newest first: those of a subject of an agent, or all of a team's agent. */
export function selectErasures(
  db: Db,
  [first, ...others]: readonly [ErasuresOf, ...ErasuresOf[]],
  request: PageRequest,
): Promise<Page<FinishedErasure>> {
  const guard = sql<SqlBool>`finished_at is not null`
  const listOf = (of: ErasuresOf) => ({
    query: db.selectFrom('erasures').select(['id', 'finished_at', 'signed', 'subject']).where(guard),
    of,
    guard,
    key: ['finished_at', 'id'] as const,
    texts: ['id'],
    order: 'desc' as const,
  })
  return selectMergedPage(db, [listOf(first), ...others.map(listOf)], request)
}

/** The erasures of one subject, or of an agent. */
type ErasuresOf = Pick<ErasureRow, 'agent_id' | 'subject'> | Pick<ErasureRow, 'team_id' | 'agent_id'>

/** Counts the erasures that go on. */
export function countOpenErasures(db: Db): Promise<number> {
  return countRows(db.selectFrom('erasures').where('finished_at', 'is', null))
}
