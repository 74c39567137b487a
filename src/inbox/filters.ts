import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type FigureFilter, idsInFigure, isInFigure, readFigure } from '../analytics/support/figure-filter.ts'
import { readMark } from '../desk/mark-read.ts'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { inScope, isInScope } from '../transcripts/conversations/in-scope.ts'
import { rankOf } from '../transcripts/conversations/priority.ts'
import { idsWithTag, isTagged } from '../transcripts/conversations/tag-index.ts'
import { idsWith } from '../transcripts/doors/by-filter.ts'
import type { FilterName, Filters, InboxQuery } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'
import { type InboxView, isInView, views } from './inbox-views.ts'
import type { InboxRow } from './tables.ts'

/** The columns of a conversation that order and filter the inbox. */
export interface Candidate extends InboxRow {
  /** The last message that the reader has read; null without a read mark. */
  readUpTo: number | null
  /** 1 if the conversation matches the filters that only the database can judge: those without `matches`. */
  fits: number
}

/** The column with the conversation of a row of the inbox. */
export const ROW = 'inbox_rows.conversation_id'

/** A filter, for rows that are counted in the database and for rows that were read. Both forms judge alike. */
interface Filter<Value> {
  sql(value: Value, reader: InboxReader | null): RawBuilder<SqlBool>
  /** Absent: the row does not tell, so the database judges it by `sql` when it reads the row. */
  matches?(row: Candidate, value: Value, reader: InboxReader | null): boolean
  /** Selects the conversations that match, by an index. A page is read through it when they are few. */
  ids?(db: Kysely<Tables>, agentId: number, value: Value): Ids
  /** Returns what a cursor knows the value by; absent: the value itself. */
  key?(value: Value): unknown
}

type Ids = SelectQueryBuilder<Tables, keyof Tables, { id: string }>

/**
 * The filters of the inbox, those that are judged fastest first. Of those with `ids`, the first that selects few
 * conversations is read by.
 */
const filters: { readonly [Name in FilterName]: Filter<NonNullable<Filters[Name]>> } = {
  user_id: {
    sql: (keys) => sql`inbox_rows.user_id in (${sql.join(keys)})`,
    matches: ({ user_id }, keys) => user_id !== null && keys.includes(user_id),
    ids: (db, agentId, keys) => idsWith(db, agentId, 'user_id', keys),
    // A person may get further keys between two pages.
    key: ([first]) => first,
  },
  channel_id: {
    ...byColumn('channel_id'),
    ids: (db, agentId, channelId) => idsWith(db, agentId, 'channel_id', [channelId]),
  },
  assignee: byColumn('assignee_id'),
  group: byColumn('group_id'),
  language: byColumn('language'),
  priority: byColumn('priority', rankOf),
  outcome: byColumn('outcome'),
  tag: {
    sql: (tag) => isTagged(ROW, tag),
    ids: idsWithTag,
  },
  in: {
    sql: (text) => isInFigure(ROW, figureOf(text)),
    ids: (db, agentId, text) => idsInFigure(db, agentId, figureOf(text)),
  },
  unread: {
    sql: (unread, reader) => sql`${unreadInSql(reader)} = ${unread ? 1 : 0}`,
    matches: (row, unread, reader) => isUnread(row, reader) === unread,
  },
  // With words to search for, only rows that the search has found are read.
  q: { sql: () => sql`1 = 1`, matches: () => true },
}

function byColumn<Value>(
  column: 'channel_id' | 'assignee_id' | 'group_id' | 'language' | 'priority' | 'outcome',
  stored: (value: Value) => unknown = (value) => value,
): Filter<Value> {
  return {
    sql: (value) => sql`${sql.ref(`inbox_rows.${column}`)} = ${stored(value)}`,
    matches: (row, value) => row[column] === stored(value),
  }
}

function figureOf(text: string): FigureFilter {
  const figure = readFigure(text)
  if (!figure) throw new Error(`${text} names no figure`)
  return figure
}

/** Returns the filters that are set, with their values. */
function setIn(query: Filters): { name: FilterName; filter: Filter<unknown>; value: unknown }[] {
  const names = Object.keys(filters) as FilterName[]
  return names.flatMap((name) =>
    query[name] === undefined ? [] : { name, filter: filters[name], value: query[name] },
  )
}

/** Returns the test that a conversation is in a view, matches its filters and is within the reader's scope. */
export function wantedBy(
  { scope }: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): (row: Candidate) => boolean {
  const set = setIn(query)
  return (row) =>
    isInView(row, query.view, reader?.operatorId ?? null) &&
    isInScope(row, scope) &&
    row.fits === 1 &&
    set.every(({ filter, value }) => filter.matches?.(row, value, reader) ?? true)
}

/** Returns the same test in SQL. */
export function wantedInSql(
  { scope }: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): RawBuilder<SqlBool> {
  const conditions = [
    inView(query.view, reader),
    inScope(scope, 'inbox_rows'),
    ...setIn(query).map(({ filter, value }) => filter.sql(value, reader)),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** Returns what `isInView` tells, in SQL. */
function inView(view: InboxView, reader: InboxReader | null): RawBuilder<SqlBool> {
  const { states, isOfReader, only } = views[view]
  const conditions = [
    sql`state in (${sql.join(states.map(sql.lit))})`,
    ...(isOfReader ? [sql`assignee_id = ${reader?.operatorId ?? 0}`] : []),
    ...(only ? [sql.raw(only.sql)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Returns the `fits` of a row of the inbox, in SQL. */
export function fitsInSql(query: Filters, reader: InboxReader | null): RawBuilder<number> {
  const conditions = setIn(query).flatMap(({ filter, value }) =>
    filter.matches ? [] : filter.sql(value, reader),
  )
  if (conditions.length === 0) return sql`1`
  return sql`(case when ${sql.join(conditions, sql` and `)} then 1 else 0 end)`
}

/** Returns the selections of conversations that filters make by indexes of their own, the best one first. */
export function idsOf(db: Kysely<Tables>, agentId: number, query: Filters): Ids[] {
  return setIn(query).flatMap(({ filter, value }) => filter.ids?.(db, agentId, value) ?? [])
}

/** Returns what identifies the filters of a query in a cursor. */
export function keyOf(query: Filters): unknown {
  return setIn(query).map(({ name, filter, value }) => [name, filter.key ? filter.key(value) : value])
}

/** Tells whether a conversation has messages newer than those that the reader has read or, without a mark, than their joining. */
export function isUnread(row: Candidate, reader: InboxReader | null): boolean {
  if (reader === null || row.last_message_id === 0) return false
  return row.readUpTo === null
    ? (row.last_message_at ?? '') > reader.joinedAt
    : row.last_message_id > row.readUpTo
}

/** Returns SQL that is 1 where `isUnread` is true, else 0. */
function unreadInSql(reader: InboxReader | null): RawBuilder<number> {
  if (reader === null) return sql`0`
  const isNewer = sql`coalesce(last_message_id > ${readMark(ROW, reader.operatorId)}, last_message_at > ${reader.joinedAt})`
  return sql`case when ${isNewer} then 1 else 0 end`
}
