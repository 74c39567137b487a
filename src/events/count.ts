import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { RaisedEvent } from './raise.ts'

/** Transactions that count the same at once wait for each other in one of so many places. */
const SHARDS = 8

/** Response times are counted in steps of a tenth, so that a median is right to five in a hundred. */
const STEP = Math.log(1.1)

/** Rows that one statement adds; as many are there at most but for rare moments. */
const statements = [1, 2, 3, 4].map((rows) =>
  prepared((db, param: ParamOf<Record<string, never>>) =>
    db
      .insertInto('day_counters')
      .values(
        Array.from({ length: rows }, (_, row) => ({
          agent_id: param(`agent_id${row}`),
          day: param(`day${row}`),
          name: param(`name${row}`),
          shard: param(`shard${row}`),
          count: param(`count${row}`),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'day', 'name', 'shard'])
          .doUpdateSet({ count: sql`day_counters.count + excluded.count` }),
      ),
  ),
)

/** Counts events among those of their day, in the transaction of their cause: sums are right without any scan. */
export async function count(db: Kysely<Tables>, events: readonly RaisedEvent[]): Promise<void> {
  const counts = new Map<string, { agent_id: number; day: string; name: string; count: number }>()
  for (const event of events) {
    const day = event.occurred_at.slice(0, 10)
    for (const [name, by] of countersOf(event)) {
      const key = `${event.agent_id} ${day} ${name}`
      const present = counts.get(key)
      if (present) present.count += by
      else counts.set(key, { agent_id: event.agent_id, day, name, count: by })
    }
  }
  const rows = [...counts.values()]
  for (let from = 0; from < rows.length; from += statements.length) {
    const some = rows.slice(from, from + statements.length)
    const parameters: Record<string, unknown> = {}
    const shard = Math.floor(Math.random() * SHARDS)
    for (const [row, { agent_id, day, name, count }] of some.entries())
      Object.assign(parameters, {
        [`agent_id${row}`]: agent_id,
        [`day${row}`]: day,
        [`name${row}`]: name,
        [`shard${row}`]: shard,
        [`count${row}`]: count,
      })
    await statements[some.length - 1]?.(db, parameters as Record<string, never>)
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
