import { type Kysely, sql } from 'kysely'
import { timeOfBucket } from '../events/count.ts'
import type { Tables } from '../storage/tables.ts'

/** The most important figures of a day, or of several days together. */
export interface Figures {
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
  /** From the prompt to its stored response, accurate to about 5%. */
  median_ms: number | null
  p95_ms: number | null
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * An agent's figures for each day of a period, and for the whole period.
 * @param from, to days as YYYY-MM-DD
 */
export async function readAnalytics(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
): Promise<{ totals: Figures; days: ({ date: string } & Figures)[] }> {
  const rows = await db
    .selectFrom('day_counters')
    .select(['day', 'name', sql<number>`sum(count)`.as('count')])
    .where('agent_id', '=', agentId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['day', 'name'])
    .execute()
  const all = new Map<string, number>()
  const byDay = new Map<string, Map<string, number>>()
  for (const { day, name, count } of rows) {
    const counts = byDay.get(day) ?? new Map<string, number>()
    byDay.set(day, counts)
    counts.set(name, Number(count))
    all.set(name, (all.get(name) ?? 0) + Number(count))
  }
  const days = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const date = new Date(time).toISOString().slice(0, 10)
    days.push({ date, ...figuresOf(byDay.get(date) ?? new Map()) })
  }
  return { totals: figuresOf(all), days }
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

function quantile(times: (readonly [bucket: number, count: number])[], share: number): number | null {
  const total = times.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [bucket, count] of times) {
    seen += count
    if (seen >= total * share) return timeOfBucket(bucket)
  }
  return null
}
