import { type SqlBool, sql } from 'kysely'

/** The roles of messages that people read: what end users, agents and people of the team said to each other. */
export const SPOKEN_ROLES = ['user', 'assistant', 'operator'] as const

/**
 * Returns the condition of SQL that a message was spoken. The agent's calls of tools say nothing to anyone.
 * @param row the name of the row
 */
export function isSpoken(row: string): string {
  return `${row}.role in (${SPOKEN_ROLES.map((role) => `'${role}'`).join(', ')}) and ${row}.round is null`
}

/** The condition that a message was spoken, for queries of the table. */
export const areSpoken = sql<SqlBool>`${sql.raw(isSpoken('messages'))}`
