import { type Kysely, sql } from 'kysely'
import { dayAfter } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { correctCounts, countsOf } from './count.ts'
import type { EventWithData } from './event-data.ts'

type Db = Kysely<Tables>
type Count = ReturnType<typeof countsOf>[number]

/** The progress of counting events anew. */
export interface EventsPlace {
  /** The agent whose events are counted; null: all. */
  of: number | null
  /** The event up to which all are counted. */
  upTo: number
  /** The agent and the day whose counts were corrected last. */
  agent: number
  day: string
  /** The events and the wrong counts so far. */
  looked: number
  righted: number
}

interface EventsWork {
  db: Db
  /** The number of events that are summed up at once. */
  size: number
  settled: number | null
  keepAgent: (db: Db, agentId: number) => Promise<boolean>
}

/** The number of rows that one statement writes. */
const ROWS = 500

/**
 * Does a part of counting events anew. First the events are summed up in a table of their own. Then the counts of each
 * day of an agent are compared with these sums, and the differences are added to them. Because counting only adds, too,
 * both can go on at the same time.
 * @param settled the result of `engine.settledUpTo` for events
 * @param keepAgent keeps an agent from being deleted until the transaction ends; false: there is none
 */
export async function recountEvents(
  { db, size, settled, keepAgent }: EventsWork,
  place: EventsPlace,
): Promise<{ place: EventsPlace; isDone: boolean }> {
  const events = await eventsAfter(db, place.upTo, size, settled)
  await sumUp(db, place.of, events)
  const read = {
    ...place,
    upTo: events.at(-1)?.id ?? place.upTo,
    looked: place.looked + events.filter(({ agent_id }) => (place.of ?? agent_id) === agent_id).length,
  }
  if (events.length === size) return { place: read, isDone: false }
  const next = await nextDay(db, read)
  if (!next) {
    await forgetSums(db, place.of)
    return { place: read, isDone: true }
  }
  const righted = (await keepAgent(db, next.agent)) ? await correctDay(db, next, read.upTo) : 0
  return { place: { ...read, ...next, righted: place.righted + righted }, isDone: false }
}

/** Deletes the sums of an earlier recount; those of all agents when `of` is null. */
export async function forgetSums(db: Db, of: number | null): Promise<void> {
  await db
    .deleteFrom('recounted_counts')
    .$if(of !== null, (sums) => sums.where('agent_id', '=', of ?? 0))
    .execute()
}

async function eventsAfter(db: Db, id: number, limit: number, settled: number | null) {
  return db
    .selectFrom('events')
    .select(['id', 'agent_id', 'key', 'occurred_at', 'data'])
    .where('id', '>', id)
    .$if(settled !== null, (events) => events.where('id', '<=', settled ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute()
}

interface StoredEvent {
  agent_id: number
  key: string
  occurred_at: string
  data: string | null
}

function countsOfStored({ agent_id, key, occurred_at, data }: StoredEvent): Count[] {
  const happening = { key, ...(data === null ? {} : { data: JSON.parse(data) }) } as EventWithData
  return countsOf({ agent_id, occurred_at, ...happening })
}

async function sumUp(db: Db, of: number | null, events: readonly StoredEvent[]): Promise<void> {
  const sums = new Map<string, Count>()
  for (const event of events) {
    if (of !== null && event.agent_id !== of) continue
    for (const one of countsOfStored(event)) {
      const key = `${one.agent_id} ${one.day} ${one.quarter} ${one.name}`
      sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count })
    }
  }
  const rows = [...sums.values()]
  for (let from = 0; from < rows.length; from += ROWS)
    await db
      .insertInto('recounted_counts')
      .values(rows.slice(from, from + ROWS))
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'day', 'name', 'quarter'])
          .doUpdateSet({ count: sql`recounted_counts.count + excluded.count` }),
      )
      .execute()
}

type DayOfAgent = Pick<EventsPlace, 'agent' | 'day'>

/** Finds the next day of an agent that has counts, or should have, and all of whose events are kept. */
async function nextDay(db: Db, { of, agent, day }: EventsPlace): Promise<DayOfAgent | null> {
  const first = await firstWholeDay(db)
  if (first === null) return null
  const after = (table: 'recounted_counts' | 'quarter_counters' | 'day_counters') =>
    sql`select * from (select agent_id as agent, day from ${sql.table(table)}
      where (agent_id, day) > (${agent}, ${day}) and day >= ${first}
        and ${of === null ? sql`1 = 1` : sql`agent_id = ${of}`}
      order by agent_id, day limit 1) as ${sql.ref(`of_${table}`)}`
  const { rows } = await sql<DayOfAgent>`
    ${after('recounted_counts')} union all ${after('quarter_counters')} union all ${after('day_counters')}
    order by agent, day limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns the first day all of whose events are still kept: the one after that of the oldest event, or the day of the
 * first event that there ever was. Null: there are no events.
 */
async function firstWholeDay(db: Db): Promise<string | null> {
  const oldest = await db
    .selectFrom('events')
    .select(['id', 'occurred_at'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return null
  const day = oldest.occurred_at.slice(0, 10)
  return oldest.id === 1 ? day : dayAfter(day)
}

interface DayRow {
  part: 'summed' | 'event' | 'quarter' | 'day'
  /** The key of an event. */
  name: string
  quarter: number | null
  count: number | null
  at: string | null
  /** The data of an event, or the quarters of a day. */
  text: string | null
}

/**
 * Corrects the counts of a day. One statement reads both the counts and the events that they should count, as they were
 * at one moment.
 * @returns the number of wrong counts
 */
async function correctDay(db: Db, { agent, day }: DayOfAgent, upTo: number): Promise<number> {
  const { rows } = await sql<DayRow>`
    select 'summed' as part, name, quarter, count, cast(null as text) as at, cast(null as text) as text
    from recounted_counts where agent_id = ${agent} and day = ${day}
    union all select 'event', key, cast(null as integer), cast(null as integer), occurred_at, data
    from events where id > ${upTo} and agent_id = ${agent} and substr(occurred_at, 1, 10) = ${day}
    union all select 'quarter', name, quarter, count, null, null
    from quarter_counters where agent_id = ${agent} and day = ${day}
    union all select 'day', name, null, count, null, quarters
    from day_counters where agent_id = ${agent} and day = ${day}`.execute(db)
  const missing = new Map<string, Count>()
  const add = (name: string, quarter: number, by: number) => {
    const key = `${quarter} ${name}`
    const count = (missing.get(key)?.count ?? 0) + by
    missing.set(key, { agent_id: agent, day, name, quarter, count })
  }
  for (const { part, name, quarter, count, at, text } of rows) {
    if (part === 'event') {
      const event = { agent_id: agent, key: name, occurred_at: at ?? '', data: text }
      for (const one of countsOfStored(event)) add(one.name, one.quarter, one.count)
    } else if (part === 'day') {
      // This day was counted by an older version, which did not keep quarters.
      if (text === null) return 0
      for (const [quarter, by] of (JSON.parse(text) as number[]).entries()) add(name, quarter, -by)
    } else add(name, quarter ?? 0, part === 'summed' ? Number(count) : -Number(count))
  }
  const wrong = [...missing.values()].filter(({ count }) => count !== 0)
  await correctCounts(db, wrong)
  return wrong.length
}
