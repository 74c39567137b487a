import type { Kysely } from 'kysely'
import { type DayCount, readCounts, readQuarterCounts } from '../events/read-counts.ts'
import { DAY_MS } from '../lib/clock.ts'
import { takeTurns } from '../lib/pacing/take-turns.ts'
import type { Tables } from '../storage/tables.ts'
import { beginOfDay, datesOf, QUARTER_MS } from './local-days.ts'
import { quantile } from './quantile.ts'

/** The most important figures of a day, or of several days together. */
interface Figures {
  prompts: number
  responses: number
  likes: number
  flags: number
  errors: number
  guardrail_hits: number
  ctas_shown: number
  cta_clicks: number
  /** Clicks per call to action shown; null when none was shown. */
  cta_rate: number | null
  unanswered: number
  /** The time from the prompt to its stored response, accurate to about 5%. */
  median_ms: number | null
  p95_ms: number | null
}

/**
 * Reads an agent's figures for each day of a period and for the whole period.
 * @param from, to days as YYYY-MM-DD
 * @param timeZone the zone whose days they are. Counts kept by UTC day stay on their UTC date
 */
export async function readAnalytics(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
  timeZone: string,
): Promise<{ totals: Figures; days: ({ date: string } & Figures)[] }> {
  const rows =
    timeZone === 'UTC'
      ? await readCounts(db, agentId, from, to)
      : await readLocalCounts(db, agentId, from, to, timeZone)
  const all = new Map<string, number>()
  const byDay = new Map<string, Map<string, number>>()
  for (const { day, name, count } of rows) {
    const counts = byDay.get(day) ?? new Map<string, number>()
    byDay.set(day, counts)
    add(counts, name, count)
    add(all, name, count)
  }
  const days = datesOf(from, to).map((date) => ({ date, ...figuresOf(byDay.get(date) ?? new Map()) }))
  return { totals: figuresOf(all), days }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}

/** Reads the counts of each day of a time zone. */
async function readLocalCounts(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
  timeZone: string,
): Promise<DayCount[]> {
  const pause = takeTurns()
  const dates = datesOf(from, to)
  const begins: number[] = []
  for (const date of [...dates, dateAfter(to, 1)]) {
    begins.push(beginOfDay(Date.parse(date), timeZone))
    await pause()
  }
  const counted: DayCount[] = []
  // A local day can overlap the UTC days before and after it.
  for (const { day, name, count, quarters } of await readQuarterCounts(
    db,
    agentId,
    dateAfter(from, -1),
    dateAfter(to, 1),
  )) {
    await pause()
    if (quarters === null) {
      if (from <= day && day <= to) counted.push({ day, name, count })
      continue
    }
    const { first, counts } = quarters
    const begin = Date.parse(day) + first * QUARTER_MS
    const end = begin + counts.length * QUARTER_MS
    const placeOf = (time: number) => (Math.min(Math.max(time, begin), end) - begin) / QUARTER_MS
    // Of all earlier local days, only the previous one can overlap this UTC day.
    let at = Math.max(0, Math.round((Date.parse(day) - Date.parse(from)) / DAY_MS) - 1)
    for (; at < dates.length && (begins[at] ?? end) < end; at++) {
      let sum = 0
      const behind = placeOf(begins[at + 1] ?? end)
      for (let place = placeOf(begins[at] ?? end); place < behind; place++) sum += counts[place] ?? 0
      if (sum !== 0) counted.push({ day: dates[at] ?? '', name, count: sum })
    }
  }
  return counted
}

/** The first and last day that YYYY-MM-DD can express. */
const [FIRST, LAST] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')]

function dateAfter(date: string, days: number): string {
  const time = Math.min(Math.max(Date.parse(date) + days * DAY_MS, FIRST), LAST)
  return new Date(time).toISOString().slice(0, 10)
}

function figuresOf(counts: ReadonlyMap<string, number>): Figures {
  const of = (name: string) => counts.get(name) ?? 0
  const times = [...counts]
    .filter(([name]) => name.startsWith('time:'))
    .map(([name, count]) => [Number(name.slice(5)), count] as const)
    .sort(([a], [b]) => a - b)
  return {
    prompts: of('prompts'),
    responses: of('responses'),
    likes: of('likes'),
    flags: of('flags'),
    errors: of('errors'),
    guardrail_hits: of('guardrail_hits'),
    ctas_shown: of('ctas_shown'),
    cta_clicks: of('cta_clicks'),
    cta_rate: of('ctas_shown') === 0 ? null : of('cta_clicks') / of('ctas_shown'),
    unanswered: of('unanswered'),
    median_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
  }
}
