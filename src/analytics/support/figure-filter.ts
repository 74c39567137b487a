import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { DAY_MS, timestamp } from '../../lib/clock.ts'
import { isTimeZone } from '../../lib/time-zone.ts'
import type { Tables } from '../../storage/tables.ts'
import { isTaggedAs } from '../../transcripts/conversations/tag-index.ts'
import { beginOfDay, hoursAt, QUARTER_MS } from '../local-days.ts'
import { type FigureName, figures } from './figures.ts'
import type { SupportKind } from './tables.ts'

/** A figure of support in a period, in total or for one value of a breakdown. */
export interface FigureFilter {
  figure: FigureName
  from: string
  to: string
  timeZone: string
  by: Exclude<SupportKind, 'all'> | 'hour' | null
  /** The value as the figures name it; empty: none. */
  value: string
}

const DATE = String.raw`\d{4}-\d\d-\d\d`
const FILTER = new RegExp(
  `^([a-z_0-9]+):(${DATE}):(${DATE}):([^:]+)(?::(operator|group|channel|tag|language|hour):(.*))?$`,
  's',
)
const MOST_DAYS = 366

/** Reads a figure as a filter names it: `figure:from:to:time_zone`, and `:by:value`. Null if it names none. */
export function readFigure(text: string): FigureFilter | null {
  const [, figure = '', from = '', to = '', timeZone = '', by = null, value = ''] = FILTER.exec(text) ?? []
  const [first, last] = [Date.parse(from), Date.parse(to)]
  if (!isDay(from) || !isDay(to)) return null
  if (!Object.hasOwn(figures, figure) || !isTimeZone(timeZone)) return null
  if (!(first <= last && last - first < MOST_DAYS * DAY_MS)) return null
  if (by === 'hour' && !(/^\d\d?$/.test(value) && Number(value) < 24)) return null
  if (by !== null && by !== 'hour' && by !== 'tag' && by !== 'language' && !/^\d{0,15}$/.test(value))
    return null
  return { figure: figure as FigureName, from, to, timeZone, by: by as FigureFilter['by'], value }
}

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success
}

const COLUMNS = {
  operator: 'operator_id',
  group: 'group_id',
  channel: 'channel_id',
  language: 'language',
} as const

/** Returns the condition that a row of `support_rows` is counted in a figure. */
function isCounted({ figure, from, to, timeZone, by, value }: FigureFilter): RawBuilder<SqlBool> {
  const { at, only }: { at: string; only?: readonly [string, string | number] } = figures[figure]
  const begin = beginOfDay(Date.parse(from), timeZone)
  const end = beginOfDay(Date.parse(to) + DAY_MS, timeZone)
  const within = ([begin, end]: readonly [number, number]) =>
    sql`(${sql.ref(at)} >= ${timestamp(begin)} and ${sql.ref(at)} < ${timestamp(end)})`
  const conditions = [
    within([begin, end]),
    ...(only ? [sql`${sql.ref(only[0])} = ${only[1]}`] : []),
    ...(by === 'hour'
      ? [sql`(${sql.join(hoursIn(begin, end, timeZone, Number(value)).map(within), sql` or `)})`]
      : []),
    ...(by === 'tag' ? [hasTag(value)] : []),
    ...(by === null || by === 'hour' || by === 'tag' ? [] : [isOf(COLUMNS[by], by, value)]),
  ]
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

function isOf(column: string, by: string, value: string): RawBuilder<unknown> {
  if (value === '') return sql`${sql.ref(column)} is null`
  return sql`${sql.ref(column)} = ${by === 'language' ? value : Number(value)}`
}

function hasTag(tag: string): RawBuilder<unknown> {
  return tag === '' ? sql`tags = '[]'` : isTaggedAs('support_rows.conversation_id', tag)
}

/** Lists the times of a period at which clocks show an hour of the day. */
function hoursIn(begin: number, end: number, timeZone: string, hour: number): [number, number][] {
  const hourAt = hoursAt(timeZone)
  const times: [number, number][] = []
  for (let at = begin; at < end; at += QUARTER_MS) {
    if (hourAt(at) !== hour) continue
    const last = times.at(-1)
    if (last && last[1] === at) last[1] = at + QUARTER_MS
    else times.push([at, at + QUARTER_MS])
  }
  return times.length === 0 ? [[0, 0]] : times
}

/** Selects the ids of an agent's conversations that are counted in a figure. */
export function idsInFigure(db: Kysely<Tables>, agentId: number, filter: FigureFilter) {
  return db
    .selectFrom('support_rows')
    .select('conversation_id as id')
    .where('agent_id', '=', agentId)
    .where(isCounted(filter))
}

/**
 * Returns the condition that a conversation is counted in a figure.
 * @param conversation the column of the outer query that holds the conversation's id
 */
export function isInFigure(conversation: string, filter: FigureFilter): RawBuilder<SqlBool> {
  // Not `exists`: for that, PostgreSQL may read all conversations of the figure to find the few of a page among them.
  return sql<SqlBool>`(select 1 from support_rows
    where support_rows.conversation_id = ${sql.ref(conversation)} and ${isCounted(filter)} limit 1) is not null`
}
