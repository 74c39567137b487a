import { type Kysely, sql } from 'kysely'
import { HOUR_MS, timestamp } from '../lib/clock.ts'
import { workAll } from '../lib/pacing/work-each.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { QUARTERS } from './count.ts'

/** An act that begins before midnight may end and be counted some time after it. */
const STILL_COUNTED_MS = HOUR_MS

/** The purpose of the lock of a fold, as `engine.lock` needs it. */
const FOLDS = 3
/** The shard of folded counts. Counts from before quarters were counted have the shards from 0 on. */
const FOLDED = -1

type Counted = Pick<Tables['quarter_counters'], 'agent_id' | 'day' | 'name'>

/** Folds the counts of past days into one row for each day and name, so that a year is quick to read. */
export async function foldCounts(
  { db, engine }: { db: Kysely<Tables>; engine: Pick<Engine, 'lock'> },
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - STILL_COUNTED_MS).slice(0, 10)
  const select = (limit: number) =>
    db
      .selectFrom('quarter_counters')
      .select(['agent_id', 'day', 'name'])
      .distinct()
      .where('day', '<', before)
      .limit(limit)
      .execute()
  const foldOne = (one: Counted) =>
    db.transaction().execute(async (db) => {
      // Two folds that add to the same row would each lose the other's counts.
      await engine.lock(db, FOLDS, one.agent_id)
      await fold(db, one)
    })
  await workAll(select, ({ agent_id, day, name }) => `${agent_id} ${day} ${name}`, foldOne, signal)
}

async function fold(db: Kysely<Tables>, { agent_id, day, name }: Counted): Promise<void> {
  const taken = await db
    .deleteFrom('quarter_counters')
    .where('agent_id', '=', agent_id)
    .where('day', '=', day)
    .where('name', '=', name)
    .returning(['quarter', 'count'])
    .execute()
  const present = await db
    .selectFrom('day_counters')
    .select('quarters')
    .where('agent_id', '=', agent_id)
    .where('day', '=', day)
    .where('name', '=', name)
    .where('shard', '=', FOLDED)
    .executeTakeFirst()
  const counts: number[] = present?.quarters ? JSON.parse(present.quarters) : Array(QUARTERS).fill(0)
  for (const { quarter, count } of taken) counts[quarter] = (counts[quarter] ?? 0) + count
  const count = counts.reduce((sum, count) => sum + count, 0)
  await db
    .insertInto('day_counters')
    .values({ agent_id, day, name, shard: FOLDED, count, quarters: JSON.stringify(counts) })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'day', 'name', 'shard']).doUpdateSet({
        count: sql`excluded.count`,
        quarters: sql`excluded.quarters`,
      }),
    )
    .execute()
}
