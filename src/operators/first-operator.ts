import type { Kysely } from 'kysely'
import { bySystem, record } from '../audit/record.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { FIRST_LINK_MS, makeLink } from './links.ts'
import { insertOperator } from './store.ts'

/**
 * The address with which the first owner signs in. The owner may invite themselves again under an address of their own.
 */
export const FIRST_EMAIL = 'owner@localhost'

/** Creates the first owner of a team within a transaction. Returns the token of the link by which the owner joins. */
export async function addFirstOperator(db: Kysely<Tables>, teamId: number, nowMs: number): Promise<string> {
  const { id } = await insertOperator(db, {
    team_id: teamId,
    name: 'Owner',
    email: FIRST_EMAIL,
    right: 'own',
    created_at: timestamp(nowMs),
  })
  await record(db, {
    teamId,
    at: timestamp(nowMs),
    ...bySystem,
    action: 'operator.invited',
    target: `operator ${id}`,
    details: { right: 'own' },
  })
  return makeLink(db, id, nowMs, FIRST_LINK_MS)
}
