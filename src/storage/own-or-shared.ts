import { type SqlBool, sql } from 'kysely'

/**
 * Selects, of rows that a person keeps or shares, those that the person has: their own and the shared ones.
 * @param operatorId null: a program, which has the shared ones
 */
export function ownOrShared(operatorId: number | null) {
  const shared = sql<SqlBool>`operator_id is null`
  return operatorId === null ? shared : sql<SqlBool>`(operator_id is null or operator_id = ${operatorId})`
}
