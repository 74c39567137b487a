import type { Kysely } from 'kysely'
import { type Acting, keeperOf, operatorOf } from '../http/operator-of.ts'
import type { Tables } from '../storage/tables.ts'
import { lockActiveOperator } from './find-operator.ts'

/**
 * Returns the id of the person to whom a row belongs after a change; null: everybody shares it. A row that is no longer
 * shared belongs to its maker, or to the person who changes it if a program or somebody who has left the team made it.
 * @param shared what the request says; undefined: the keeper stays
 * @throws ApiError operator_needed for a program that wants one of its own
 */
export async function keeperAfter(
  db: Kysely<Tables>,
  teamId: number,
  acting: Acting,
  shared: boolean | undefined,
  present: { operator_id: number | null; maker_id: number | null },
): Promise<number | null> {
  if (shared !== false || present.operator_id !== null) return keeperOf(acting, shared, present)
  const maker = present.maker_id === null ? null : await lockActiveOperator(db, teamId, present.maker_id)
  return maker?.id ?? operatorOf(acting)
}
