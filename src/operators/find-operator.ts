import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { type Operator, presentOperator } from './operator.ts'
import { selectOperatorById, selectOperators } from './store.ts'

/** The people of a team, by their ids. */
export async function listOperators(db: Kysely<Tables>, teamId: number): Promise<Operator[]> {
  return (await selectOperators(db, teamId)).map(presentOperator)
}

/** The team of an operator; null when there is no such operator. */
export async function teamOfOperator(db: Kysely<Tables>, id: number): Promise<number | null> {
  return (await selectOperatorById(db, id))?.team_id ?? null
}
