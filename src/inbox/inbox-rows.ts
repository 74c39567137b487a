import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type FigureFilter, idsInFigure, isInFigure, readFigure } from '../analytics/support/figure-filter.ts'
import { readMark } from '../desk/mark-read.ts'
import type { Tables } from '../storage/tables.ts'
import { idsWithTag, isTagged } from '../transcripts/conversations/tag-index.ts'
import { idsWith } from '../transcripts/doors/by-filter.ts'
import type { InboxQuery } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'
import type { InboxRow } from './tables.ts'

/** The columns of a conversation that order and filter the inbox. */
export interface Candidate extends InboxRow {
  /** The last message that the reader has read; null without a read mark. */
  mark: number | null
  /** 1 if the conversation has the requested tag and counts in the requested figure. */
  isMarked: number
}

/** A conversation's place in an order. */
export type Place = readonly [string | number, sequence: number]

/** An order of conversations that an index of `inbox_rows` provides. */
export interface Range {
  order: 'latest' | 'longest' | 'due'
  /** The values all its rows share besides the agent: the index columns before those of the order. */
  of: Readonly<Record<string, number>>
  /** The predicate of the index. */
  guard: RawBuilder<SqlBool>
  /** Holds for rows that another of the ranges has as well: this one leaves them out. */
  unless?: RawBuilder<SqlBool>
}

/** The column with the conversation of a row of the inbox. */
export const ROW = 'inbox_rows.conversation_id'

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
  ranges: readonly [Range, ...Range[]],
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

/** The tag, the figure and the reader that decide the `isMarked` and the `mark` of each row. */
type Wanted = Pick<InboxQuery, 'tag' | 'in'> & { reader: InboxReader | null }

/** Returns the conditions that a conversation has the tag and is in the figure that are asked for. */
export function marksOf({ tag, in: figure }: Pick<InboxQuery, 'tag' | 'in'>): RawBuilder<SqlBool>[] {
  const filter = figureOf(figure)
  return [...(tag ? [isTagged(ROW, tag)] : []), ...(filter ? [isInFigure(ROW, filter)] : [])]
}

function figureOf(text: string | undefined): FigureFilter | null {
  return text === undefined ? null : readFigure(text)
}

function candidates(db: Kysely<Tables>, { reader, ...wanted }: Wanted) {
  const marks = marksOf(wanted)
  const isMarked =
    marks.length === 0
      ? sql<number>`1`
      : sql<number>`(case when ${sql.join(marks, sql` and `)} then 1 else 0 end)`
  return db
    .selectFrom('inbox_rows')
    .selectAll('inbox_rows')
    .select([
      (reader ? readMark(ROW, reader.operatorId) : sql<null>`null`).as('mark'),
      isMarked.as('isMarked'),
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
 * Reads all conversations of a user, of a channel, with a tag, or in a figure, if they are few enough to be sorted in memory.
 * @returns null if there are more than `most`, or none of these filters is given
 */
export async function readFew(
  db: Kysely<Tables>,
  agentId: number,
  { user_id, channel_id, ...marked }: Pick<InboxQuery, 'user_id' | 'channel_id' | 'tag' | 'in'>,
  most: number,
  reader: InboxReader | null,
): Promise<Candidate[] | null> {
  const figure = figureOf(marked.in)
  const readIfFew = async <T extends keyof Tables>(
    ids: SelectQueryBuilder<Tables, T, { id: string }>,
  ): Promise<Candidate[] | null> => {
    // Counts only in the index, so that no conversation is read if there are many.
    const beyond = ids.clearSelect().select(sql`1`.as('one')).limit(1).offset(most)
    if (await beyond.executeTakeFirst()) return null
    return candidates(db, { ...marked, reader })
      .where('inbox_rows.conversation_id', 'in', ids)
      .execute()
  }
  return (
    (user_id === undefined ? null : await readIfFew(idsWith(db, agentId, 'user_id', user_id))) ??
    (channel_id === undefined ? null : await readIfFew(idsWith(db, agentId, 'channel_id', [channel_id]))) ??
    (marked.tag ? await readIfFew(idsWithTag(db, agentId, marked.tag)) : null) ??
    (figure ? await readIfFew(idsInFigure(db, agentId, figure)) : null)
  )
}
