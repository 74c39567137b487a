import type { Actor } from '../audit/record.ts'
import type { Right } from '../http/rights.ts'
import type { ScopeKind } from '../http/scope.ts'
import { versionOf } from '../http/version.ts'
import { signsInByProvider } from './needs-two-factor.ts'
import type { OperatorRow } from './tables.ts'

/** A right that people can have. `chat` is for machines only. */
export type OperatorRight = Exclude<Right, 'chat'>

/** A person of a team as the API returns them. */
export interface Operator {
  id: number
  name: string
  /** The name that end users see. */
  display_name: string
  email: string
  right: OperatorRight
  scope: ScopeKind
  unassigned: boolean
  active: boolean
  created_at: string
  last_seen_at: string | null
  two_factor: boolean
  single_sign_on: boolean
  version: string
}

export function presentOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    display_name: displayNameOf(row),
    email: row.email,
    right: row.right as OperatorRight,
    scope: row.scope as ScopeKind,
    unassigned: row.sees_unassigned === 1,
    active: row.active === 1,
    created_at: row.created_at,
    last_seen_at: row.last_seen_at,
    two_factor: row.totp_secret !== null,
    single_sign_on: signsInByProvider(row),
    version: operatorVersion(row),
  }
}

export function operatorVersion(row: OperatorRow): string {
  const { name, display_name, right, active, scope, sees_unassigned } = row
  return versionOf(name, display_name, right, active, scope, sees_unassigned)
}

/** Returns an operator as an actor. */
export function actorOf({ id, name }: Pick<OperatorRow, 'id' | 'name'>): Actor {
  return { kind: 'operator', id, name }
}

/** Returns the name that end users see as the author of a person's answers. */
export function displayNameOf({ name, display_name }: Pick<OperatorRow, 'name' | 'display_name'>): string {
  return display_name ?? name.trim().split(/\s+/)[0] ?? ''
}
