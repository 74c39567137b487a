import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { AgentVersionRow } from '../tables.ts'

type Db = Kysely<Tables>

/** Reads a page of an agent's versions, newest first. */
export async function selectVersionsPage(
  db: Db,
  agentId: number,
  request: PageRequest,
): Promise<Page<AgentVersionRow>> {
  const query = db.selectFrom('agent_versions').selectAll()
  return selectPage(db, { query, of: { agent_id: agentId }, key: ['number'], order: 'desc' }, request)
}

export async function selectVersion(
  db: Db,
  agentId: number,
  number: number,
): Promise<AgentVersionRow | undefined> {
  return db
    .selectFrom('agent_versions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** Returns the number of an agent's newest version; 0 when it has none. */
export async function newestVersion(db: Db, agentId: number): Promise<number> {
  const row = await db
    .selectFrom('agent_versions')
    .select('number')
    .where('agent_id', '=', agentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.number ?? 0
}

export async function insertVersion(db: Db, row: AgentVersionRow): Promise<void> {
  await db.insertInto('agent_versions').values(row).execute()
}

/** Deletes the versions of an agent up to a number. */
export async function deleteVersionsUpTo(db: Db, agentId: number, number: number): Promise<void> {
  await db
    .deleteFrom('agent_versions')
    .where('agent_id', '=', agentId)
    .where('number', '<=', number)
    .execute()
}
