import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { selectTeam } from './store.ts'

/** A part of a query, to be joined: which teams require a second factor. */
export function requiredTwoFactor(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('teams').select(['teams.id', 'teams.require_two_factor']).as('team')
}

/** Reads whether a team requires a second factor. */
export async function teamRequiresTwoFactor(db: Kysely<Tables>, teamId: number): Promise<boolean> {
  return (await selectTeam(db, teamId)).require_two_factor === 1
}
