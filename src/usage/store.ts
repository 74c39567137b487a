import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import type { ModelUsageRow } from './tables.ts'

type Db = Kysely<Tables>

/** Adds to what is stored. */
export const addUsage = preparedInsert<ModelUsageRow>(
  'model_usage',
  ['agent_id', 'day', 'model', 'kind', 'calls', 'estimated', 'prompt_tokens', 'completion_tokens'],
  (insert) =>
    insert.onConflict((conflict) =>
      conflict.columns(['agent_id', 'day', 'model', 'kind']).doUpdateSet({
        calls: sql`model_usage.calls + excluded.calls`,
        estimated: sql`model_usage.estimated + excluded.estimated`,
        prompt_tokens: sql`model_usage.prompt_tokens + excluded.prompt_tokens`,
        completion_tokens: sql`model_usage.completion_tokens + excluded.completion_tokens`,
      }),
    ),
)

/** The usage of an agent from one day to another, both included, the newest day first. */
export const selectUsage = prepared((db, param: ParamOf<{ agent_id: number; from: string; to: string }>) =>
  db
    .selectFrom('model_usage')
    .selectAll()
    .where('agent_id', '=', param('agent_id'))
    .where('day', '>=', param('from'))
    .where('day', '<=', param('to'))
    .orderBy('day', 'desc')
    .orderBy('model')
    .orderBy('kind'),
)

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
