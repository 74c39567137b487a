import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { readMark } from '../desk/mark-read.ts'
import type { Tables } from '../storage/tables.ts'
import { type Candidate, fitsInSql, idsOf, ROW } from './filters.ts'
import type { Filters } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'

/** A conversation's place in an order. */
export type Place = readonly [string | number, sequence: number]

/** An order of conversations that an index of `inbox_rows` provides. */
export interface Range {
  order: 'latest' | 'longest' | 'due'
  /** The values all its rows share besides the agent: the index columns before those of the order. */
  of: Readonly<Record<string, number>>
  /** The predicate of the index. */
  guard: RawBuilder<SqlBool>
  /** The condition of rows to leave out, because another of the ranges has them, too. */
  unless?: RawBuilder<SqlBool>
}

const COLUMNS = {
  latest: { first: 'last_message_id', direction: 'desc', beyond: '<' },
  longest: { first: 'waiting_since', direction: 'asc', beyond: '>' },
  due: { first: 'due_at', direction: 'asc', beyond: '>' },
} as const

/** Returns a conversation's place in an order. */
export function placeOf(order: Range['order'], row: Candidate): Place {
  return [row[COLUMNS[order].first] ?? '', row.sequence]
}

/**
 * Reads an agent's conversations in some ranges after a place, at most `limit` of each; null: from the beginning. It is
 * one statement, so that a conversation that moves from one range to another meanwhile is not missed.
 */
export async function readRanges(
  db: Kysely<Tables>,
  agentId: number,
  ranges: readonly Range[],
  after: Place | null,
  limit: number,
  wanted: Wanted,
): Promise<Candidate[]> {
  const rowsOf = (range: Range) => {
    const { first, direction } = COLUMNS[range.order]
    const rows = candidates(db, wanted)
      .where(inRange(agentId, range, after))
      .orderBy(sql.ref(`inbox_rows.${first}`), direction)
      .orderBy('inbox_rows.sequence', direction)
      .limit(limit)
    // SQLite sorts and limits a part of a union only within a query of its own.
    return db.selectFrom(rows.as('limited')).selectAll()
  }
  const [first, ...others] = ranges
  if (!first) return []
  return others.reduce((all, range) => all.unionAll(rowsOf(range)), rowsOf(first)).execute()
}

/** Returns the condition that a row of the inbox is in a range after a place, in a form that uses the range's index. */
export function inRange(
  agentId: number,
  { order, of, guard }: Range,
  after: Place | null,
): RawBuilder<SqlBool> {
  const { first, beyond } = COLUMNS[order]
  const key = sql.join([first, 'sequence'].map((column) => sql.ref(`inbox_rows.${column}`)))
  const conditions = [
    sql`inbox_rows.agent_id = ${agentId}`,
    guard,
    ...Object.entries(of).map(([column, value]) => sql`${sql.ref(`inbox_rows.${column}`)} = ${value}`),
    ...(after ? [sql`(${key}) ${sql.raw(beyond)} (${sql.join(after)})`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** The filters and the reader that decide what is read of each conversation besides its row. */
type Wanted = Filters & { reader: InboxReader | null }

function candidates(db: Kysely<Tables>, { reader, ...filters }: Wanted) {
  return db
    .selectFrom('inbox_rows')
    .selectAll('inbox_rows')
    .select([
      (reader ? readMark(ROW, reader.operatorId) : sql<null>`null`).as('readUpTo'),
      fitsInSql(filters, reader).as('fits'),
    ])
}

/** Reads an agent's conversations by id. */
export async function readThese(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly string[],
  wanted: Wanted,
): Promise<Candidate[]> {
  if (ids.length === 0) return []
  return candidates(db, wanted)
    .where('inbox_rows.agent_id', '=', agentId)
    .where('inbox_rows.conversation_id', 'in', ids)
    .execute()
}

/**
 * Reads all conversations that a filter selects by an index of its own, if they are few enough to be sorted in memory.
 * @returns null if each such filter selects more than `most`, or there is none
 */
export async function readFew(
  db: Kysely<Tables>,
  agentId: number,
  wanted: Wanted,
  most: number,
): Promise<Candidate[] | null> {
  for (const ids of idsOf(db, agentId, wanted)) {
    // Counts only in the index, so that no conversation is read if there are many.
    const beyond = ids.clearSelect().select(sql`1`.as('one')).limit(1).offset(most)
    if (await beyond.executeTakeFirst()) continue
    return candidates(db, wanted).where('inbox_rows.conversation_id', 'in', ids).execute()
  }
  return null
}
