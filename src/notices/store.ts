import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../http/scope.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { namesNoneOutside, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import type { NoticeRow } from './tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for people whose notices have changed. */
export const NOTICES = 'notices'

/** A person, and the conversations that they may see: they get notices of no others. */
export interface Noticed {
  readonly operatorId: number
  readonly scope: Scope | null
}

/** Returns the condition that a notice is about nothing outside a scope. */
export function isSeenBy({ scope }: Pick<Noticed, 'scope'>): RawBuilder<SqlBool> {
  return scope ? namesNoneOutside(scope, 'notices.conversation_id') : sql`1 = 1`
}

type NewNotice = Omit<NoticeRow, 'id' | 'count' | 'unread' | 'mailed_at'>

/**
 * Tells a person something, within a transaction. If an unread notice of the kind is about the same thing, its count
 * rises instead.
 * @returns the notice
 */
export async function insertNotice(db: Db, notice: NewNotice): Promise<NoticeRow> {
  const { source_id, name, at } = notice
  wake(db, NOTICES)
  return db
    .insertInto('notices')
    .values(notice)
    .onConflict((conflict) =>
      conflict
        .columns(['operator_id', 'kind', 'about'])
        .where('unread', '=', sql.lit(1))
        .doUpdateSet({ source_id, name, at, count: sql<number>`notices.count + 1` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Reads a page of what a person sees of their notices, the newest first. */
export async function listNotices(
  db: Db,
  { operatorId, scope }: Noticed,
  isUnreadOnly: boolean,
  request: PageRequest,
): Promise<Page<NoticeRow>> {
  const query = db.selectFrom('notices').selectAll()
  const of = { operator_id: operatorId, on_page: 1, ...(isUnreadOnly ? { unread: 1 } : {}) }
  const filters = scopeFilter(scope, (scope) => isSeenBy({ scope }))
  return selectPage(db, { query, of, key: ['at', 'id'], order: 'desc', filters }, request)
}

/** The number of a person's unread notices, and a mark that changes with them. */
interface Unread {
  count: number
  mark: string
}

/** Reads what is unread of some people's notices. */
export async function unreadOf(db: Db, people: readonly Noticed[]): Promise<Map<number, Unread>> {
  const all = people.filter(({ scope }) => scope === null).map(({ operatorId }) => operatorId)
  const parts = [unreadIn(db, all, null)]
  for (const { operatorId, scope } of people) if (scope) parts.push(unreadIn(db, [operatorId], scope))
  return new Map((await Promise.all(parts)).flat())
}

async function unreadIn(
  db: Db,
  people: readonly number[],
  scope: Scope | null,
): Promise<[operatorId: number, unread: Unread][]> {
  if (people.length === 0) return []
  const rows = await db
    .selectFrom('notices')
    .select(['operator_id', ({ fn }) => fn.countAll<number>().as('count')])
    .select(({ fn }) => [fn.max('at').as('at'), fn.max('id').as('id'), fn.sum<number>('count').as('times')])
    .where('operator_id', 'in', people)
    .where('on_page', '=', 1)
    .where('unread', '=', 1)
    .where(isSeenBy({ scope }))
    .groupBy('operator_id')
    .execute()
  return rows.map(({ operator_id, count, ...newest }) => [
    operator_id,
    { count: Number(count), mark: Object.values(newest).join(' ') },
  ])
}

/** The notices that become read: one, those of a conversation, or all. */
type Which = { id: number } | { conversation: string } | 'all'

/** Marks notices of a person as read. @returns false if there are no such notices, whether read or not */
export async function readNotices(db: Db, { operatorId, scope }: Noticed, which: Which): Promise<boolean> {
  return db.transaction().execute(async (db) => {
    const asked = db
      .selectFrom('notices')
      .select(['id', 'unread'])
      .where('operator_id', '=', operatorId)
      .where(isSeenBy({ scope }))
      .$if(which === 'all' || 'conversation' in which, (query) => query.where('unread', '=', 1))
      .$if(which !== 'all' && 'id' in which, (query) => query.where('id', '=', (which as { id: number }).id))
      .$if(which !== 'all' && 'conversation' in which, (query) =>
        query.where('conversation_id', '=', (which as { conversation: string }).conversation),
      )
    const rows = await asked.orderBy('id').forNoKeyUpdate().execute()
    const unread = rows.filter((row) => row.unread === 1).map(({ id }) => id)
    if (unread.length > 0) {
      await db.updateTable('notices').set({ unread: 0 }).where('id', 'in', unread).execute()
      wake(db, NOTICES)
    }
    return rows.length > 0
  })
}

/** Tells whether a notice is about nothing outside a scope. */
export async function isNoticeSeen(db: Db, id: number, person: Pick<Noticed, 'scope'>): Promise<boolean> {
  const seen = db.selectFrom('notices').select('id').where('id', '=', id).where(isSeenBy(person))
  return (await seen.executeTakeFirst()) !== undefined
}

/** Deletes notices that were told before a time; returns the number of them. */
export async function deleteNoticesBefore(db: Db, time: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('notices')
    .where('id', 'in', (select) =>
      select.selectFrom('notices').select('id').where('at', '<', time).orderBy('at').limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes a cause of which everybody has been told, within the transaction that tells them. */
export async function deleteCause(db: Db, id: number): Promise<void> {
  await db.deleteFrom('notice_causes').where('id', '=', id).execute()
}
