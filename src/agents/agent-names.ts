import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Names of agents, to join to a query. */
export function agentNames(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('agents').select(['agents.id', 'agents.name']).as('agent')
}
