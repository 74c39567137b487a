import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { type Filter, selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { AuditRow } from './tables.ts'

/** Conditions on the acts of a team. */
export interface AuditQuery {
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
  if (action !== undefined)
    filters.push({ column: 'action', value: action, index: { of: { team_id, action } } })
  if (actor) {
    const of = { team_id, actor_kind: actor.kind }
    filters.push({ column: 'actor_kind', value: actor.kind, index: { of } })
    if (actor.id !== undefined)
      filters.push({ column: 'actor_id', value: actor.id, index: { of: { ...of, actor_id: actor.id } } })
  }
  const query = db.selectFrom('audit').selectAll()
  const list = { query, of: { team_id }, key: ['at', 'id'], order: 'desc', least: from, most: to } as const
  return selectPage(db, { ...list, filters }, request)
}

/** Deletes acts from before a time, at most `limit`; returns the number of them. */
export async function deleteOldActs(db: Kysely<Tables>, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit')
    .where('id', 'in', (select) =>
      select.selectFrom('audit').select('id').where('at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
