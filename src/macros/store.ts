import type { Insertable, Kysely, Updateable } from 'kysely'
import type { Scope } from '../http/scope.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { countRows } from '../storage/count-rows.ts'
import { deleteSome } from '../storage/delete-some.ts'
import { ownOrShared } from '../storage/own-or-shared.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { namesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import type { MacroRow, MacroRunRow, MacroRunsTable, MacrosTable } from './tables.ts'

type Db = Kysely<Tables>

/** Selects the macros of an agent that a person has: their own and the shared ones. @param operatorId null: a program */
function macrosOf(db: Db, agentId: number, operatorId: number | null) {
  return db.selectFrom('macros').selectAll().where('agent_id', '=', agentId).where(ownOrShared(operatorId))
}

/** Reads the macros of a person, by their names. */
export async function selectMacros(db: Db, agentId: number, operatorId: number | null): Promise<MacroRow[]> {
  return macrosOf(db, agentId, operatorId).orderBy('name').orderBy('id').execute()
}

export async function selectMacro(
  db: Db,
  agentId: number,
  operatorId: number | null,
  id: number,
): Promise<MacroRow | undefined> {
  return macrosOf(db, agentId, operatorId).where('id', '=', id).executeTakeFirst()
}

/** Counts the shared macros of an agent, or the own ones of a person. */
export function countMacros(db: Db, agentId: number, operatorId: number | null): Promise<number> {
  return countRows(
    db
      .selectFrom('macros')
      .where('agent_id', '=', agentId)
      .where('operator_id', operatorId === null ? 'is' : '=', operatorId),
  )
}

export async function insertMacro(db: Db, row: Insertable<MacrosTable>): Promise<MacroRow> {
  return db.insertInto('macros').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateMacro(db: Db, id: number, values: Updateable<MacrosTable>): Promise<MacroRow> {
  return db.updateTable('macros').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteMacro(db: Db, id: number): Promise<void> {
  await db.deleteFrom('macros').where('id', '=', id).execute()
}

export async function insertRun(db: Db, row: Insertable<MacroRunsTable>): Promise<MacroRunRow> {
  return db.insertInto('macro_runs').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateRun(
  db: Db,
  id: number,
  values: Updateable<MacroRunsTable>,
): Promise<MacroRunRow> {
  return db
    .updateTable('macro_runs')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Reads a run in a conversation. */
export async function selectRun(
  db: Db,
  conversationId: string,
  id: number,
): Promise<MacroRunRow | undefined> {
  return db
    .selectFrom('macro_runs')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Reads the run that a bulk act has begun in a conversation, if it has. */
export async function selectRunOfBulk(
  db: Db,
  bulkId: number,
  conversationId: string,
): Promise<MacroRunRow | undefined> {
  return db
    .selectFrom('macro_runs')
    .selectAll()
    .where('bulk_id', '=', bulkId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
}

/**
 * Reads some of the conversations in which a bulk act has begun a run that nobody has undone.
 * @param after the last conversation that was read; '': none
 */
export async function selectConversationsToUndo(
  db: Db,
  bulkId: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('macro_runs')
    .select('conversation_id')
    .where('bulk_id', '=', bulkId)
    .where('undone_at', 'is', null)
    .where('conversation_id', '>', after)
    .orderBy('conversation_id')
    .limit(limit)
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}

/** Reads a page of the runs of a bulk act in a scope, the newest first. @param failed true: only those with a failed action */
export async function selectRunsOfBulk(
  db: Db,
  bulkId: number,
  scope: Scope | null,
  failed: boolean,
  request: PageRequest,
): Promise<Page<MacroRunRow>> {
  const all = db.selectFrom('macro_runs').selectAll()
  const query = failed ? all.where('failed', '>', 0) : all
  const filters = scopeFilter(scope, (scope) => namesOneInScope(scope, 'macro_runs.conversation_id'))
  return selectPage(db, { query, of: { bulk_id: bulkId }, key: ['id'], order: 'desc', filters }, request)
}

/** Deletes runs that began before a time; returns the number deleted. */
export function deleteRunsBefore(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('macro_runs').select('id').where('created_at', '<', before).limit(limit)
  return deleteSome(db, 'macro_runs', ['id'], old)
}
