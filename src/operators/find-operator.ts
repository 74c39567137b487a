import type { Kysely } from 'kysely'
import { NOTHING, type Scope } from '../http/scope.ts'
import type { Tables } from '../storage/tables.ts'
import { signsInByProvider } from './needs-two-factor.ts'
import { displayNameOf, type Operator, presentOperator } from './operator.ts'
import { scopeOf } from './scope.ts'
import {
  lockOperator,
  selectOperatorById,
  selectOperatorNames,
  selectOperators,
  selectScope,
} from './store.ts'

/** Reads the people of a team, in the order of their ids. */
export async function listOperators(db: Kysely<Tables>, teamId: number): Promise<Operator[]> {
  return (await selectOperators(db, teamId)).map(presentOperator)
}

/** Reads a person; null when there is none. */
export async function readOperator(db: Kysely<Tables>, id: number): Promise<Operator | null> {
  const row = await selectOperatorById(db, id)
  return row ? presentOperator(row) : null
}

/** Reads the ids of the people of a team. */
export async function idsOfOperators(db: Kysely<Tables>, teamId: number): Promise<number[]> {
  return (await selectOperators(db, teamId)).map(({ id }) => id)
}

/** Returns the team of an operator; null when there is no such operator. */
export async function teamOfOperator(db: Kysely<Tables>, id: number): Promise<number | null> {
  return (await selectOperatorById(db, id))?.team_id ?? null
}

/** Reads an active operator of a team and locks their row until the transaction ends; null when there is none. */
export async function lockActiveOperator(
  db: Kysely<Tables>,
  teamId: number,
  id: number,
): Promise<{ id: number; name: string } | null> {
  const operator = await lockOperator(db, teamId, id)
  return operator?.active === 1 ? { id, name: operator.name } : null
}

/** Tells whether an operator has a second factor, or signs in through the identity provider, which may ask for one. */
export async function signsInSafely(db: Kysely<Tables>, id: number): Promise<boolean> {
  const operator = await selectOperatorById(db, id)
  return operator !== undefined && (operator.totp_secret !== null || signsInByProvider(operator))
}

/** Reads the name under which end users see an operator; null when there is no such operator. */
export async function displayNameById(db: Kysely<Tables>, id: number): Promise<string | null> {
  const operator = await selectOperatorById(db, id)
  return operator ? displayNameOf(operator) : null
}

/** Reads the names of operators by their ids; those that no longer exist are absent. */
export async function namesOfOperators(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await selectOperatorNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** Reads which conversations an operator may see now: null for all, and none for somebody who is no longer active. */
export async function scopeOfOperator(db: Kysely<Tables>, id: number): Promise<Scope | null> {
  const row = await selectScope(db, id)
  return row ? scopeOf(row) : NOTHING
}

/** Returns the time since which an operator belongs to their team: when they joined, or else were invited. */
export async function joinedAtOf(db: Kysely<Tables>, id: number): Promise<string> {
  const operator = await selectOperatorById(db, id)
  return operator?.joined_at ?? operator?.created_at ?? ''
}
