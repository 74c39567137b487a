import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { MessageRow } from '../tables.ts'

const INTERNAL_ROLES = ['system', 'tool'] as const satisfies MessageRow['role'][]

/**
 * Tells whether a web site's own server and end users see a message: not instructions, calls of tools by the service
 * with their results, and answers that were withheld.
 */
export function isShownToSites({
  role,
  withheld,
  round,
}: Pick<MessageRow, 'role' | 'withheld' | 'round'>): boolean {
  return !INTERNAL_ROLES.some((internal) => internal === role) && withheld === 0 && round === null
}

/** Returns the condition of `isShownToSites`. */
export function areShownToSites(where: ExpressionBuilder<Tables, 'messages'>) {
  return where.and([
    where('role', 'not in', INTERNAL_ROLES),
    where('withheld', '=', 0),
    where('round', 'is', null),
  ])
}
