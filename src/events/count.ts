import { type Kysely, sql } from 'kysely'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import { beforeCommit } from '../storage/waking-db.ts'
import type { EventWithData } from './event-data.ts'

/**
 * The number of rows that a count is spread over, so that transactions that count the same rarely wait for each other.
 */
const SHARDS = 8

/** Response times are counted in steps of 10%, so that a median is accurate to 5%. */
const STEP = Math.log(1.1)

type CountableEvent = EventWithData & { agent_id: number; occurred_at: string }

/** The number of quarters of an hour in a day. */
export const QUARTERS = 96

interface Counted {
  agent_id: number
  day: string
  name: string
  quarter: number
  shard: number
  count: number
}

const insertCounts = preparedInsert<Counted>(
  'quarter_counters',
  ['agent_id', 'day', 'name', 'quarter', 'shard', 'count'],
  (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'day', 'name', 'quarter', 'shard'])
        .doUpdateSet({ count: sql`quarter_counters.count + excluded.count` }),
    ),
)

/** The counts of each open transaction so far. */
const collected = new WeakMap<Kysely<Tables>, Map<string, Counted>>()

/**
 * Adds events to the counts of their quarter of an hour, in the transaction that stores the events, so that the counts
 * always agree with them. The counts are written at its end, because many transactions lock the same rows.
 */
export function count(db: Kysely<Tables>, events: readonly CountableEvent[]): void {
  for (const event of events) {
    for (const one of countsOf(event)) {
      const counts = collected.get(db) ?? begin(db)
      const key = keyOf(one)
      const present = counts.get(key)
      if (present) present.count += one.count
      else counts.set(key, { ...one, shard: 0 })
    }
  }
}

/** Lists what an event adds to the counts. */
export function countsOf(event: CountableEvent): Omit<Counted, 'shard'>[] {
  const { agent_id, occurred_at } = event
  const [day, quarter] = [occurred_at.slice(0, 10), quarterOf(occurred_at)]
  return countersOf(event).map(([name, count]) => ({ agent_id, day, name, quarter, count }))
}

/** Corrects counts by what is to be added to each. */
export async function correctCounts(
  db: Kysely<Tables>,
  corrections: readonly Omit<Counted, 'shard'>[],
): Promise<void> {
  await addCounts(db, new Map(corrections.map((one) => [keyOf(one), { ...one, shard: 0 }])))
}

function keyOf({ agent_id, day, quarter, name }: Omit<Counted, 'shard'>): string {
  return `${agent_id} ${day} ${quarter} ${name}`
}

function begin(db: Kysely<Tables>): Map<string, Counted> {
  const counts = new Map<string, Counted>()
  beforeCommit(db, async (db) => {
    await addCounts(db, counts)
  })
  collected.set(db, counts)
  return counts
}

/** Adds to counts, each under the key that `count` gives it. */
async function addCounts(db: Kysely<Tables>, counts: ReadonlyMap<string, Counted>): Promise<void> {
  const shard = Math.floor(Math.random() * SHARDS)
  // Every transaction takes the rows in the same order, so that no two can wait for each other in a deadlock.
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => ({ ...one, shard }))
  await insertCounts(db, sorted)
}

/** Returns the quarter of an hour of a timestamp, counted from midnight. */
export function quarterOf(timestamp: string): number {
  return Number(timestamp.slice(11, 13)) * 4 + Math.floor(Number(timestamp.slice(14, 16)) / 15)
}

function countersOf({ key, data }: EventWithData): [name: string, by: number][] {
  switch (key) {
    case 'prompt_submit':
      return [['prompts', 1]]
    case 'response_end':
      return [
        ['responses', 1],
        ...(data ? [[`time:${bucketOf(data.ms)}`, 1] as [string, number]] : []),
        ...(data?.answered === false ? [['unanswered', 1] as [string, number]] : []),
      ]
    case 'response_like':
      return [['likes', Number(data.liked === true) - Number(data.was === true)]]
    case 'response_flag':
      return [['flags', Number(data.flagged === true) - Number(data.was === true)]]
    case 'guardrail_trigger':
      return [['guardrail_hits', 1]]
    case 'cta_trigger':
      return [['ctas_shown', 1]]
    case 'cta_click':
      return [['cta_clicks', 1]]
    case 'error':
      return [['errors', 1]]
    default:
      return []
  }
}

/** Returns the step of a response time in milliseconds. */
export function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / STEP))
}

/** Returns the time in milliseconds that a step stands for. */
export function timeOfBucket(bucket: number): number {
  return Math.round(Math.exp((bucket - 0.5) * STEP))
}
