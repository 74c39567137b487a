/**
 * The conversations that a person may see: those that are assigned to them and those of some groups, where 0 stands for
 * no group. Null instead of a scope: all.
 */
export interface Scope {
  readonly operatorId: number
  readonly groups: readonly number[]
}

/** The scope of a person who may see no conversations. */
export const NOTHING: Scope = { operatorId: -1, groups: [] }

/** The ways in which a person's scope is set. */
export const scopes = ['all', 'groups', 'own'] as const

export type ScopeKind = (typeof scopes)[number]
