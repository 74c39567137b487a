import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import type { ModelUsageRow, UsageShardRow } from './tables.ts'

type Db = Kysely<Tables>

/** Spreads what is used over several rows, so that transactions that count the same rarely wait for each other. */
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

/** Adds to what is stored. @param rows in an order that is the same for everybody */
export function addUsage(db: Db, rows: readonly ModelUsageRow[]): Promise<void> {
  const shard = Math.floor(Math.random() * SHARDS)
  return addToShards(
    db,
    rows.map((row) => ({ ...row, shard })),
  )
}

/** The usage of an agent from one day to another, both included, the newest day first. */
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

/** PostgreSQL's sums are of another type, which is read as text. */
function total<Column extends 'calls' | 'estimated' | 'prompt_tokens' | 'completion_tokens'>(column: Column) {
  return sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)
}

/** Notes that a budget was reached. Returns false when that was noted before. */
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
  return noted !== undefined
}
