import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { RaisedEvent } from './raise.ts'

/** Transactions that count the same at once wait for each other in one of so many places. */
const SHARDS = 8

/** Response times are counted in steps of a tenth, so that a median is right to five in a hundred. */
const STEP = Math.log(1.1)

interface Counted {
  agent_id: number
  day: string
  name: string
  shard: number
  by: number
}

const add = prepared((db, param: ParamOf<Counted>) =>
  db
    .insertInto('day_counters')
    .values({
      agent_id: param('agent_id'),
      day: param('day'),
      name: param('name'),
      shard: param('shard'),
      count: param('by'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'day', 'name', 'shard'])
        .doUpdateSet({ count: sql`day_counters.count + excluded.count` }),
    ),
)

/** Counts an event among those of its day, in the transaction of its cause: sums are right without any scan. */
export async function count(db: Kysely<Tables>, event: RaisedEvent): Promise<void> {
  for (const [name, by] of countersOf(event)) {
    await add(db, {
      agent_id: event.agent_id,
      day: event.occurred_at.slice(0, 10),
      name,
      shard: Math.floor(Math.random() * SHARDS),
      by,
    })
  }
}

function countersOf({ key, data = {} }: RaisedEvent): [name: string, by: number][] {
  switch (key) {
    case 'prompt_submit':
      return [['prompts', 1]]
    case 'response_end':
      return [
        ['responses', 1],
        ...(typeof data.ms === 'number' ? [[`time:${bucketOf(data.ms)}`, 1] as [string, number]] : []),
        ...(data.answered === false ? [['unanswered', 1] as [string, number]] : []),
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

/** The step that a response time in milliseconds falls into. */
function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / STEP))
}

/** The time in milliseconds that a step stands for. */
export function timeOfBucket(bucket: number): number {
  return Math.round(Math.exp((bucket - 0.5) * STEP))
}
