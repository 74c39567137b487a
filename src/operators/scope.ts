import { invalidField } from '../errors.ts'
import { groupsText, parseGroups } from '../groups/store.ts'
import { includes, type Right } from '../http/rights.ts'
import type { Scope, ScopeKind } from '../http/scope.ts'
import type { OperatorRow } from './tables.ts'

/** The columns of an operator that say what they may see. */
export const scopeColumns = [
  'operators.scope',
  'operators.sees_unassigned',
  groupsText('operators.id').as('groups'),
] as const

/** The values of these columns, and the operator. */
type ScopeRow = Pick<OperatorRow, 'id' | 'right' | 'scope' | 'sees_unassigned'> & { groups: string | null }

/** Returns the scope of an operator; null: they may see all conversations. */
export function scopeOf({ id, right, scope, sees_unassigned, groups }: ScopeRow): Scope | null {
  if (scope === 'all' || includes(right as Right, 'manage')) return null
  if (scope !== 'groups') return { operatorId: id, groups: [] }
  return { operatorId: id, groups: [...(sees_unassigned === 1 ? [0] : []), ...parseGroups(groups)] }
}

/** The scope of a person as owners set it. */
export interface GivenScope {
  scope?: ScopeKind | undefined
  unassigned?: boolean | undefined
}

/**
 * Returns the columns for a scope that an owner gives to a person. A right to manage brings all conversations with it.
 * @throws ApiError invalid_request if another scope is given with such a right
 */
export function keptScope(
  right: Right,
  given: GivenScope,
  present: Pick<OperatorRow, 'scope' | 'sees_unassigned'>,
): Pick<OperatorRow, 'scope' | 'sees_unassigned'> {
  if (includes(right, 'manage')) {
    if (given.scope !== undefined && given.scope !== 'all')
      throw invalidField('scope', 'must be all: who may manage agents sees every conversation')
    if (given.unassigned === true) throw invalidField('unassigned', 'needs the scope groups')
    return { scope: 'all', sees_unassigned: 0 }
  }
  const scope = given.scope ?? present.scope
  if (given.unassigned === true && scope !== 'groups')
    throw invalidField('unassigned', 'needs the scope groups')
  const unassigned = given.unassigned ?? present.sees_unassigned === 1
  return { scope, sees_unassigned: scope === 'groups' && unassigned ? 1 : 0 }
}
