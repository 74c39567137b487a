import { type Kysely, sql } from 'kysely'
import { QUARTERS } from '../../events/count.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { Tables } from '../../storage/tables.ts'
import { beginOfDay, datesOf, hoursAt, localDay, QUARTER_MS } from '../local-days.ts'
import { quantile } from '../quantile.ts'
import type { StoredCounts } from './counts.ts'
import { type FigureName, figureNames, lengths } from './figures.ts'
import type { SupportKind } from './tables.ts'

type Db = Kysely<Tables>

/** The ways in which the figures of support can be broken down. */
export const breakdowns = ['day', 'hour', 'operator', 'group', 'channel', 'tag', 'language'] as const

/** The median and the 90th percentile of a duration; null: no conversation has one. */
interface Length {
  median_ms: number | null
  p90_ms: number | null
}

type SupportFigures = Record<FigureName, number> &
  Record<'answer' | 'answer_open' | 'solution' | 'solution_open', Length> & {
    rating_mean: number | null
    /** The ratings for each conversation whose user was asked. */
    rating_share: number | null
  }

/** The most values in a breakdown. Those with the most conversations are kept. */
const MOST_VALUES = 100
/** The figures by which values are ordered. */
const WEIGHED: ReadonlySet<string> = new Set<FigureName>(['conversations', 'ended', 'answered'])
/** The most values whose sums are kept while they are read. */
const MOST_SUMS = 1000
const ROWS_AT_ONCE = 2000

/** Counts by name of a figure or step of a length. */
type Sums = Map<string, number>

/**
 * Reads the figures of support of a period, in total and broken down.
 * @param from, to days as YYYY-MM-DD
 * @param timeZone the zone whose days they are
 */
export async function readSupport(
  db: Db,
  agentId: number,
  { from, to, timeZone, by }: { from: string; to: string; timeZone: string; by: (typeof breakdowns)[number] },
): Promise<{ totals: SupportFigures; rows: ({ value: string } & SupportFigures)[] }> {
  const begin = beginOfDay(Date.parse(from), timeZone)
  const end = beginOfDay(Date.parse(to) + DAY_MS, timeZone)
  if (by === 'day' || by === 'hour') {
    const values = by === 'day' ? datesOf(from, to) : Array.from({ length: 24 }, (_, hour) => String(hour))
    const hourAt = hoursAt(timeZone)
    const valueAt = by === 'day' ? dayAt(timeZone) : (at: number) => String(hourAt(at))
    const sums = new Map<string, Sums>(values.map((value) => [value, new Map()]))
    const totals = await sumByTime(db, agentId, begin, end, valueAt, sums)
    return { totals: figuresOf(totals), rows: [...sums].map(([value, of]) => ({ value, ...figuresOf(of) })) }
  }
  const all = await sumByValue(db, agentId, 'all', begin, end, [''])
  const rows = (await sumHeaviest(db, agentId, by, begin, end)).map(([value, of]) => ({
    value,
    ...figuresOf(of),
  }))
  return { totals: figuresOf(all.get('') ?? new Map()), rows }
}

/** Sums up the figures of a period for the values with the most conversations, in order. */
async function sumHeaviest(
  db: Db,
  agentId: number,
  kind: SupportKind,
  begin: number,
  end: number,
): Promise<[value: string, sums: Sums][]> {
  const weights = new Map<string, number>()
  // Tags may have had very many values: their sums are then too large for the memory.
  let sums: Map<string, Sums> | null = new Map()
  for await (const { value, counts } of countsByValue(db, agentId, kind, begin, end)) {
    const of: Sums = sums?.get(value) ?? new Map()
    for (const [name, count] of counts) {
      weights.set(value, (weights.get(value) ?? 0) + (WEIGHED.has(name) ? count : 0))
      add(of, name, count)
      sums?.set(value, of)
    }
    if (weights.size > MOST_SUMS) sums = null
  }
  const values = await heaviestOf(weights)
  const known = sums ?? (await sumByValue(db, agentId, kind, begin, end, values))
  return values.map((value) => [value, known.get(value) ?? new Map()])
}

/** Returns the values that weigh most, in order. */
async function heaviestOf(weights: ReadonlyMap<string, number>): Promise<string[]> {
  const pause = takeTurns()
  let heaviest: [value: string, weight: number][] = []
  const keepHeaviest = () => {
    heaviest.sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    heaviest = heaviest.slice(0, MOST_VALUES)
  }
  for (const one of weights) {
    if (heaviest.push(one) < 2 * MOST_VALUES) continue
    keepHeaviest()
    await pause()
  }
  keepHeaviest()
  return heaviest.map(([value]) => value)
}

/** Sums up the figures of a period by when they were counted. @returns the sums of all */
async function sumByTime(
  db: Db,
  agentId: number,
  begin: number,
  end: number,
  valueAt: (time: number) => string,
  sums: Map<string, Sums>,
): Promise<Sums> {
  const pause = takeTurns()
  const totals: Sums = new Map()
  for await (const { day, counts } of rowsOf(db, agentId, 'all', daysBetween(begin, end))) {
    await pause()
    const midnight = Date.parse(day)
    const at = Array.from({ length: QUARTERS }, (_, quarter) => {
      const time = midnight + quarter * QUARTER_MS
      return begin <= time && time < end ? sums.get(valueAt(time)) : undefined
    })
    for (const [name, pairs] of Object.entries(JSON.parse(counts) as Record<string, number[]>)) {
      let total = 0
      for (let place = 0; place < pairs.length; place += 2) {
        const of = at[pairs[place] ?? 0]
        if (!of) continue
        add(of, name, pairs[place + 1] ?? 0)
        total += pairs[place + 1] ?? 0
      }
      if (total > 0) add(totals, name, total)
    }
  }
  return totals
}

/** Sums up the figures of a period for some values. */
async function sumByValue(
  db: Db,
  agentId: number,
  kind: SupportKind,
  begin: number,
  end: number,
  values: readonly string[],
): Promise<Map<string, Sums>> {
  const sums = new Map(values.map((value): [string, Sums] => [value, new Map()]))
  for await (const { value, counts } of countsByValue(db, agentId, kind, begin, end, values))
    for (const [name, count] of counts) add(sums.get(value), name, count)
  return sums
}

/** Reads what was counted in a period, of some values if they are named: along whole months where it has them. */
async function* countsByValue(
  db: Db,
  agentId: number,
  kind: SupportKind,
  begin: number,
  end: number,
  values?: readonly string[],
): AsyncGenerator<{ value: string; counts: [name: string, count: number][] }> {
  const pause = takeTurns()
  for await (const row of rowsOf(db, agentId, kind, withMonths(begin, end), values)) {
    await pause()
    const midnight = Date.parse(row.day)
    const counts = Object.entries(JSON.parse(row.counts) as StoredCounts).map(
      ([name, stored]): [string, number] => [name, countWithin(stored, midnight, begin, end)],
    )
    yield { value: row.value, counts: counts.filter(([, count]) => count !== 0) }
  }
}

/** @param pairs the count of a month; or of a day, in pairs of a quarter of an hour and its count */
function countWithin(pairs: StoredCounts[string], midnight: number, begin: number, end: number): number {
  if (typeof pairs === 'number') return pairs
  let sum = 0
  for (let place = 0; place < pairs.length; place += 2) {
    const time = midnight + (pairs[place] ?? 0) * QUARTER_MS
    if (begin <= time && time < end) sum += pairs[place + 1] ?? 0
  }
  return sum
}

function add(sums: Sums | undefined, name: string, by: number): void {
  if (by !== 0) sums?.set(name, (sums.get(name) ?? 0) + by)
}

/** Reads the counts of some days, and of some values if they are named, in pages. */
async function* rowsOf(
  db: Db,
  agentId: number,
  kind: SupportKind,
  days: readonly string[],
  values?: readonly string[],
) {
  if (values?.length === 0) return
  const rows = db
    .selectFrom('support_counts')
    .select(['day', 'value', 'counts'])
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .where('day', 'in', days)
    .$if(values !== undefined, (query) => query.where('value', 'in', values ?? []))
    .orderBy('day')
    .orderBy('value')
    .limit(ROWS_AT_ONCE)
  for (let page = await rows.execute(); ; ) {
    yield* page
    const last = page.at(-1)
    if (!last || page.length < ROWS_AT_ONCE) return
    page = await rows.where(sql<boolean>`(day, value) > (${last.day}, ${last.value})`).execute()
  }
}

/** Lists the UTC days that a period overlaps. */
function daysBetween(begin: number, end: number): string[] {
  return datesOf(dateOf(begin), dateOf(end - 1))
}

/** Lists the UTC days that a period overlaps, with whole months in place of their days. */
function withMonths(begin: number, end: number): string[] {
  const days = daysBetween(begin, end)
  const isWhole = (month: string) => {
    const [first, next] = [Date.parse(`${month}-01`), new Date(`${month}-01T00:00:00Z`)]
    next.setUTCMonth(next.getUTCMonth() + 1)
    return begin <= first && next.getTime() <= end
  }
  const whole = new Set([...new Set(days.map((day) => day.slice(0, 7)))].filter(isWhole))
  return [...whole, ...days.filter((day) => !whole.has(day.slice(0, 7)))]
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Returns a function that gives the local day of a time. It is fast for times in order, most of which share a day. */
function dayAt(timeZone: string): (time: number) => string {
  let day = { begin: 0, end: 0, date: '' }
  return (time) => {
    if (time < day.begin || day.end <= time) {
      const date = localDay(time, timeZone)
      const midnight = Date.parse(date)
      day = { date, begin: beginOfDay(midnight, timeZone), end: beginOfDay(midnight + DAY_MS, timeZone) }
    }
    return day.date
  }
}

function figuresOf(sums: Sums): SupportFigures {
  const of = (name: string) => sums.get(name) ?? 0
  const counts = Object.fromEntries(figureNames.map((name) => [name, of(name)])) as Record<FigureName, number>
  const steps = new Map(lengths.map((name) => [name, [] as [step: number, count: number][]]))
  for (const [name, count] of sums) {
    const [length = '', step] = name.split(':')
    if (step !== undefined && count > 0)
      steps.get(length as (typeof lengths)[number])?.push([Number(step), count])
  }
  const lengthOf = (name: (typeof lengths)[number]): Length => {
    const sorted = (steps.get(name) ?? []).sort(([a], [b]) => a - b)
    return { median_ms: quantile(sorted, 0.5), p90_ms: quantile(sorted, 0.9) }
  }
  const scores = [1, 2, 3, 4, 5].reduce((sum, score) => sum + score * of(`rated_${score}`), 0)
  return {
    ...counts,
    answer: lengthOf('answer_ms'),
    answer_open: lengthOf('answer_open_ms'),
    solution: lengthOf('solution_ms'),
    solution_open: lengthOf('solution_open_ms'),
    rating_mean: counts.rated === 0 ? null : scores / counts.rated,
    rating_share: counts.asked === 0 ? null : counts.rated / counts.asked,
  }
}
