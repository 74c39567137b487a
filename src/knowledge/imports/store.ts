import { type Insertable, type Kysely, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { countRows } from '../../storage/count-rows.ts'
import { lockedRowOfAgent, pageOfAgent, rowOfAgent } from '../../storage/rows-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { queueOf } from '../../work/queue.ts'
import { begunAnew } from '../../work/work-columns.ts'
import type { ImportRow, KnowledgeImportsTable, PageOutcome } from './tables.ts'

type Db = Kysely<Tables>

const imports = (db: Db) => db.selectFrom('knowledge_imports').selectAll()

/**
 * The queue of imports to be removed, crawled, or crawled again. Removals come first, because a crawl may take hours,
 * and interrupted crawls come before new ones.
 */
export const importQueue = queueOf('knowledge_imports', {
  ...byAgent,
  open: sql<boolean>`(state in ('queued', 'running', 'removing') or next_at is not null)`,
  due: sql<string>`coalesce(due_at, case when state in ('queued', 'running', 'removing') then '' else next_at end)`,
  // One that is being removed stays so.
  reopened: {
    state: sql`case when state = 'failed' then 'queued' else state end`,
    next_at: null,
  },
  order: sql`case state when 'removing' then '' when 'running' then '1' else coalesce(started_at, created_at) end`,
})

export async function insertImport(
  db: Db,
  row: Omit<Insertable<KnowledgeImportsTable>, 'id'>,
): Promise<ImportRow> {
  return db.insertInto('knowledge_imports').values(row).returningAll().executeTakeFirstOrThrow()
}

export const selectImport = rowOfAgent(imports)

/** Reads an import and keeps others from changing it until the transaction ends. */
export const lockImport = lockedRowOfAgent(imports)

export const selectImportsPage = pageOfAgent(imports)

export function countImports(db: Db, agentId: number): Promise<number> {
  return countRows(db.selectFrom('knowledge_imports').where('agent_id', '=', agentId))
}

export async function updateImport(
  db: Db,
  id: number,
  values: Partial<Omit<ImportRow, 'id' | 'agent_id'>>,
): Promise<ImportRow> {
  return db
    .updateTable('knowledge_imports')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes an import from the worker that leases it, which can then store nothing more. */
export async function takeOver(
  db: Db,
  id: number,
  values: Partial<Omit<ImportRow, 'id' | 'agent_id'>>,
): Promise<void> {
  await db
    .updateTable('knowledge_imports')
    .set({ ...values, ...begunAnew('knowledge_imports', null) })
    .where('id', '=', id)
    .execute()
}

/** Adds to the counts of a crawl, which has made progress. The caller holds its lease. */
export async function countPages(
  db: Db,
  row: ImportRow,
  more: Partial<Record<PageOutcome | 'found' | 'asked' | 'bytes', number>>,
): Promise<ImportRow> {
  const names = Object.keys(more) as (keyof typeof more)[]
  await importQueue.progress(db, row)
  return db
    .updateTable('knowledge_imports')
    .set(({ eb, ref }) =>
      Object.fromEntries(names.map((name) => [name, eb(ref(name), '+', more[name] ?? 0)])),
    )
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteImport(db: Db, id: number): Promise<void> {
  await db.deleteFrom('knowledge_imports').where('id', '=', id).execute()
}

/** Reads the imports of an agent whose last crawl failed. */
export async function failedImports(db: Db, agentId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('knowledge_imports')
    .select(['id', 'url as name'])
    .where('agent_id', '=', agentId)
    .where('state', '=', 'failed')
    .orderBy('id')
    .execute()
}
