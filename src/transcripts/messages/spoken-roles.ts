/** The roles of messages that people read: what end users, agents and people of the team said to each other. */
export const SPOKEN_ROLES = ['user', 'assistant', 'operator'] as const

/** Returns the condition of SQL that a message was spoken. @param role the column */
export function isSpoken(role: string): string {
  return `${role} in (${SPOKEN_ROLES.map((spoken) => `'${spoken}'`).join(', ')})`
}
