import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** The count of a name on a day. */
export interface DayCount {
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  count: number
}

/** The count of a name on a day, or in some quarters of an hour of it. */
interface QuarterCounts extends DayCount {
  /**
   * The counts of consecutive quarters, and the number of the first, from 0 at midnight; null for a day before quarters
   * were counted.
   */
  quarters: { first: number; counts: readonly number[] } | null
}

/** Reads the counts of an agent that `count` wrote. @param from, to the first and the last day as YYYY-MM-DD */
export async function readCounts(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
): Promise<DayCount[]> {
  // One statement: a fold may move counts from one table into the other meanwhile.
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

/** Reads the counts by quarters of an hour. Each list of quarters is read on demand, so that few are in memory. */
export async function readQuarterCounts(
  db: Kysely<Tables>,
  agentId: number,
  from: string,
  to: string,
): Promise<Iterable<QuarterCounts>> {
  const { rows } = await sql<StoredCounts>`
    select day, name, cast(null as integer) as quarter, count, quarters from day_counters
    where agent_id = ${agentId} and day >= ${from} and day <= ${to}
    union all
    select day, name, quarter, sum(count) as count, cast(null as text) as quarters from quarter_counters
    where agent_id = ${agentId} and day >= ${from} and day <= ${to}
    group by day, name, quarter`.execute(db)
  return rows.values().map(({ quarter, count, quarters, ...of }) => ({
    ...of,
    count: Number(count),
    quarters: quarter === null ? readFolded(quarters) : { first: quarter, counts: [Number(count)] },
  }))
}

function readFolded(quarters: string | null): QuarterCounts['quarters'] {
  return quarters === null ? null : { first: 0, counts: JSON.parse(quarters) as number[] }
}
