import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Names and teams of agents, to join to a query. */
export function agentNames(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('agents').select(['agents.id', 'agents.name', 'agents.team_id']).as('agent')
}
