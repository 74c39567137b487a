import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { selectTeam } from './store.ts'

/** Teams and their requirement of a second factor, to join to a query. */
export function requiredTwoFactor(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('teams').select(['teams.id', 'teams.require_two_factor']).as('team')
}

/** Tells whether a team requires a second factor. */
export async function teamRequiresTwoFactor(db: Kysely<Tables>, teamId: number): Promise<boolean> {
  return (await selectTeam(db, teamId)).require_two_factor === 1
}
