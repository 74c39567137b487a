import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** A part of a query, to be joined: the names of agents. */
export function agentNames(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('agents').select(['agents.id', 'agents.name']).as('agent')
}
