import { type Kysely, type SqlBool, sql } from 'kysely'
import { firstSince } from '../../storage/first-since.ts'
import type { Tables } from '../../storage/tables.ts'
import type { HappeningRow, MessageRow } from '../tables.ts'

/**
 * A position in a timeline. For a message: its id and 0. For a happening: the id of the message before it, and its own
 * id.
 */
export type Place = readonly [message: number, happening: number]

/** One line of a timeline. */
export type TimelineRow = { place: Place; message: MessageRow } | { place: Place; happening: HappeningRow }

interface TimelineRequest {
  order: 'asc' | 'desc'
  per_page: number
  /** The line after which the page begins, in its order. */
  cursor?: Place | undefined
  /** Ids of messages: only lines after the one and before the other are read. */
  after?: number | undefined
  before?: number | undefined
}

const FIRST: Place = [0, 0]
const LAST: Place = [Number.MAX_SAFE_INTEGER, 0]

/** Reads a page of a conversation's messages and happenings, from a range of two indexes. */
export async function readTimeline(
  db: Kysely<Tables>,
  conversationId: string,
  { order, per_page, cursor, after, before }: TimelineRequest,
): Promise<{ rows: TimelineRow[]; next: Place | null }> {
  const isUp = order === 'asc'
  const bounds = {
    low: later(after === undefined ? null : [after, 0], isUp ? cursor : undefined),
    high: earlier(before === undefined ? LAST : [before, 0], isUp ? undefined : cursor),
  }
  const limit = per_page + 1
  const messages = await selectMessages(db, conversationId, bounds, order, limit)
  const happenings = await selectHappenings(db, conversationId, bounds, order, limit)
  const lines: TimelineRow[] = [
    ...messages.map((message) => ({ place: [message.id, 0] as const, message })),
    ...happenings.map((happening) => ({
      place: [happening.after_message, happening.id] as const,
      happening,
    })),
  ]
  lines.sort((a, b) => compare(a.place, b.place) * (isUp ? 1 : -1))
  const rows = lines.slice(0, per_page)
  return { rows, next: lines.length > per_page ? (rows.at(-1)?.place ?? null) : null }
}

/** Returns the id of the last message of a conversation before a time; 0: there is none. */
export async function lastMessageBefore(
  db: Kysely<Tables>,
  conversationId: string,
  at: string,
): Promise<number> {
  const { least, most } = await db
    .selectFrom('messages')
    .select((select) => [select.fn.min('id').as('least'), select.fn.max('id').as('most')])
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  if (least === null) return 0
  const first = await firstSince(at, { least: Number(least), most: Number(most) }, (id) =>
    db
      .selectFrom('messages')
      .select(['id', 'created_at as at'])
      .where('conversation_id', '=', conversationId)
      .where('id', '>=', id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
  return first - 1
}

/** Exclusive bounds of a page; `low` is null for the first line on. */
interface Bounds {
  low: Place | null
  high: Place
}

function selectMessages(
  db: Kysely<Tables>,
  conversationId: string,
  { low, high }: Bounds,
  order: 'asc' | 'desc',
  limit: number,
): Promise<MessageRow[]> {
  const least = (low ?? FIRST)[0]
  // A happening comes after its message.
  const most = high[1] > 0 ? high[0] : high[0] - 1
  return db
    .selectFrom('messages')
    .selectAll()
    .where(sql<SqlBool>`(conversation_id, id) > (${conversationId}, ${least})`)
    .where(sql<SqlBool>`(conversation_id, id) <= (${conversationId}, ${most})`)
    .orderBy('conversation_id', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

function selectHappenings(
  db: Kysely<Tables>,
  conversationId: string,
  { low, high }: Bounds,
  order: 'asc' | 'desc',
  limit: number,
): Promise<HappeningRow[]> {
  const [least, leastId] = low ?? FIRST
  const [most, mostId] = high
  return db
    .selectFrom('happenings')
    .selectAll()
    .where(sql<SqlBool>`(part_of is null or kind in ('macro', 'macro_undone'))`)
    .where(sql<SqlBool>`(conversation_id, after_message, id) > (${conversationId}, ${least}, ${leastId})`)
    .where(sql<SqlBool>`(conversation_id, after_message, id) < (${conversationId}, ${most}, ${mostId})`)
    .orderBy('conversation_id', order)
    .orderBy('after_message', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

function compare(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1]
}

function later(a: Place | null, b: Place | undefined): Place | null {
  return b && (!a || compare(b, a) > 0) ? b : a
}

function earlier(a: Place, b: Place | undefined): Place {
  return b && compare(b, a) < 0 ? b : a
}
