import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { FIRST_LINK_MS, makeLink } from './links.ts'
import { insertOperator } from './store.ts'

/** What the first owner signs in with; they may have themselves invited again under an address of their own. */
export const FIRST_EMAIL = 'owner@localhost'

/** Makes the first owner of a team within a transaction; returns the token of the link by which they join. */
export async function addFirstOperator(db: Kysely<Tables>, teamId: number, now: number): Promise<string> {
  const { id } = await insertOperator(db, {
    team_id: teamId,
    name: 'Owner',
    email: FIRST_EMAIL,
    right: 'own',
    created_at: timestamp(now),
  })
  return makeLink(db, id, now, FIRST_LINK_MS)
}
