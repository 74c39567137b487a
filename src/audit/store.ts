import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { deleteSome } from '../storage/delete-some.ts'
import type { Filter } from '../storage/list.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { AuditRow } from './tables.ts'

/** Conditions on the acts of a team. */
interface AuditQuery {
  /** The actor; without an id, every actor of that kind. */
  actor?: { kind: AuditRow['actor_kind']; id?: number } | undefined
  action?: string | undefined
  /** Bounds of the acts' timestamps, both inclusive. */
  from?: string | undefined
  to?: string | undefined
}

/** Reads a page of a team's acts, newest first. */
export function selectAuditPage(
  db: Kysely<Tables>,
  teamId: number,
  { actor, action, from, to }: AuditQuery,
  request: PageRequest,
): Promise<Page<AuditRow>> {
  const team_id = teamId
  const filters: Filter[] = []
  const filter = (column: string, value: string | number, of: object, predicate: RawBuilder<SqlBool>) =>
    filters.push({ column, value, index: { of: { team_id, ...of, [column]: value }, predicate } })
  if (action !== undefined) filter('action', action, {}, sql`action > ''`)
  if (actor) {
    const { kind: actor_kind, id } = actor
    filter('actor_kind', actor_kind, {}, sql`id > -1`)
    if (id !== undefined) filter('actor_id', id, { actor_kind }, sql`actor_id is not null`)
  }
  const query = db.selectFrom('audit').selectAll()
  const guard = sql<SqlBool>`id > 0`
  const list = {
    query,
    of: { team_id },
    guard,
    key: ['at', 'id'],
    order: 'desc',
    least: from,
    most: to,
  } as const
  return selectPage(db, { ...list, filters }, request)
}

/** Deletes acts from before a time, at most `limit`; returns the number of them. */
export function deleteOldActs(db: Kysely<Tables>, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('audit')
    .select('id')
    // Written as in the index's predicate, so that the index is used.
    .where(sql<SqlBool>`length(at) > 0`)
    .where('at', '<', before)
    .limit(limit)
  return deleteSome(db, 'audit', ['id'], old)
}
