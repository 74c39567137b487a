import { type Kysely, sql } from 'kysely'
import { CONCERNS } from '../events/concerns-topic.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { ModelUsageRow, UsageShardRow } from './tables.ts'

type Db = Kysely<Tables>

/** The number of rows over which each count is spread, so that transactions rarely wait for the same row. */
const SHARDS = 8

const addToShards = preparedInsert<UsageShardRow>(
  'usage_shards',
  ['agent_id', 'day', 'model', 'kind', 'shard', 'calls', 'estimated', 'prompt_tokens', 'completion_tokens'],
  (insert) =>
    insert.onConflict((conflict) =>
      conflict.columns(['agent_id', 'day', 'model', 'kind', 'shard']).doUpdateSet({
        calls: sql`usage_shards.calls + excluded.calls`,
        estimated: sql`usage_shards.estimated + excluded.estimated`,
        prompt_tokens: sql`usage_shards.prompt_tokens + excluded.prompt_tokens`,
        completion_tokens: sql`usage_shards.completion_tokens + excluded.completion_tokens`,
      }),
    ),
)

/** Adds to the stored counts. @param rows in one fixed order, so that transactions cannot deadlock */
export function addUsage(db: Db, rows: readonly ModelUsageRow[]): Promise<void> {
  const shard = Math.floor(Math.random() * SHARDS)
  return addToShards(
    db,
    rows.map((row) => ({ ...row, shard })),
  )
}

/** Selects an agent's usage from one day to another, both included, the newest day first. */
export const selectUsage = prepared((db, param: ParamOf<{ agent_id: number; from: string; to: string }>) => {
  const of = (table: 'model_usage' | 'usage_shards') =>
    db
      .selectFrom(table)
      .select([
        'agent_id',
        'day',
        'model',
        'kind',
        'calls',
        'estimated',
        'prompt_tokens',
        'completion_tokens',
      ])
      .where('agent_id', '=', param('agent_id'))
      .where('day', '>=', param('from'))
      .where('day', '<=', param('to'))
  return db
    .selectFrom(of('model_usage').unionAll(of('usage_shards')).as('used'))
    .select(['agent_id', 'day', 'model', 'kind'])
    .select([total('calls'), total('estimated'), total('prompt_tokens'), total('completion_tokens')])
    .groupBy(['agent_id', 'day', 'model', 'kind'])
    .orderBy('day', 'desc')
    .orderBy('model')
    .orderBy('kind')
})

/** Selects the usage of some agents by day and model, from one day to another, both included. */
export async function selectUsageOf(
  db: Db,
  agentIds: readonly number[],
  { from, to }: { from: string; to: string },
) {
  if (agentIds.length === 0) return []
  const of = (table: 'model_usage' | 'usage_shards') =>
    db
      .selectFrom(table)
      .select(['agent_id', 'day', 'model', 'prompt_tokens', 'completion_tokens'])
      .where('agent_id', 'in', agentIds)
      .where('day', '>=', from)
      .where('day', '<=', to)
  return db
    .selectFrom(of('model_usage').unionAll(of('usage_shards')).as('used'))
    .select(['agent_id', 'day', 'model', total('prompt_tokens'), total('completion_tokens')])
    .groupBy(['agent_id', 'day', 'model'])
    .execute()
}

/** Sums a column. PostgreSQL's sum of bigints is a numeric, which is read as text, so it is cast back. */
function total<Column extends 'calls' | 'estimated' | 'prompt_tokens' | 'completion_tokens'>(column: Column) {
  return sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)
}

/** Records that a budget was reached. Returns false if that was recorded before. */
export async function insertAlert(
  db: Db,
  row: { agent_id: number; period: string; amount: string; at: string },
): Promise<boolean> {
  const noted = await db
    .insertInto('budget_alerts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('period')
    .executeTakeFirst()
  if (noted) wake(db, CONCERNS, 'here')
  return noted !== undefined
}
