import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** How often something that is counted happened on a day. */
export interface DayCount {
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  count: number
}

/** How often it happened in each quarter of an hour of a day. */
export interface QuarterCounts {
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  /** By the number of the quarter, from 0 at midnight; of days before quarters were counted, the whole day. */
  counts: [quarter: number, count: number][] | { wholeDay: number }
}

/** What `count` counted of an agent. @param from, to the first and the last day as YYYY-MM-DD */
export async function readCounts(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
): Promise<DayCount[]> {
  // One statement: counts are folded from one table into the other meanwhile.
  const { rows } = await sql<DayCount>`
    select day, name, sum(count) as count from (
      select day, name, count from day_counters
      where agent_id = ${agentId} and day >= ${from} and day <= ${to}
      union all
      select day, name, count from quarter_counters
      where agent_id = ${agentId} and day >= ${from} and day <= ${to}
    ) as counted group by day, name`.execute(db)
  return rows.map(({ day, name, count }) => ({ day, name, count: Number(count) }))
}

interface StoredCounts {
  day: string
  name: string
  quarter: number | null
  count: number
  quarters: string | null
}

/** The same by quarters of an hour. */
export async function readQuarterCounts(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
): Promise<QuarterCounts[]> {
  const { rows } = await sql<StoredCounts>`
    select day, name, cast(null as integer) as quarter, count, quarters from day_counters
    where agent_id = ${agentId} and day >= ${from} and day <= ${to}
    union all
    select day, name, quarter, sum(count) as count, cast(null as text) as quarters from quarter_counters
    where agent_id = ${agentId} and day >= ${from} and day <= ${to}
    group by day, name, quarter`.execute(db)
  return rows.map(({ day, name, ...stored }) => ({ day, name, counts: countsOf(stored) }))
}

function countsOf({ quarter, count, quarters }: Pick<StoredCounts, 'quarter' | 'count' | 'quarters'>) {
  if (quarter !== null) return [[quarter, Number(count)] satisfies [number, number]]
  if (quarters === null) return { wholeDay: Number(count) }
  return (JSON.parse(quarters) as number[]).flatMap((count, quarter): [number, number][] =>
    count === 0 ? [] : [[quarter, count]],
  )
}
