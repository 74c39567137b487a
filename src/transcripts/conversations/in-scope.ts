import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../http/scope.ts'
import type { Filter } from '../../storage/list.ts'
import { keysBehind } from '../../users/person-store.ts'
import type { ConversationRow } from '../tables.ts'

/** The person and the group that have a conversation: null or 0 is nobody, and no group. */
export type Assignment = Pick<ConversationRow, 'assignee_id' | 'group_id'>

/** Tells whether a person with a scope may see a conversation. */
export function isInScope({ assignee_id, group_id }: Assignment, scope: Scope | null | undefined): boolean {
  if (!scope) return true
  return assignee_id === scope.operatorId || scope.groups.includes(group_id ?? 0)
}

/** Says the same in SQL, for the rows of a table that says to whom a conversation is given. */
export function inScope(
  scope: Scope | null | undefined,
  table: 'conversations' | 'inbox_rows' | 'inbox_counters',
): RawBuilder<SqlBool> {
  if (!scope) return sql`1 = 1`
  const column = (name: string) => sql`coalesce(${sql.ref(`${table}.${name}`)}, 0)`
  const isOwn = sql<SqlBool>`${column('assignee_id')} = ${scope.operatorId}`
  if (scope.groups.length === 0) return isOwn
  return sql`(${isOwn} or ${column('group_id')} in (${sql.join(scope.groups)}))`
}

/** Returns SQL for whether the conversation that a column names is in a scope. @param column with its table */
export function namesOneInScope(scope: Scope, column: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from conversations
    where conversations.id = ${sql.ref(column)} and ${inScope(scope, 'conversations')})`
}

/** Returns SQL for whether a column names a conversation in a scope, or none. @param column with its table */
export function namesNoneOutside(scope: Scope, column: string): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} is null or ${namesOneInScope(scope, column)})`
}

/** Returns SQL for whether a completion that a column names is of a conversation in a scope. */
export function completesOneInScope(scope: Scope, column: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from completions where completions.id = ${sql.ref(column)}
    and ${namesOneInScope(scope, 'completions.conversation_id')})`
}

/** Returns SQL for whether a person has a conversation in a scope. @param column the column with their first key */
export function hasOneInScope(scope: Scope, agentId: number, column: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from conversations where conversations.agent_id = ${agentId}
    and conversations.user_id in ${keysBehind(agentId, column)} and ${inScope(scope, 'conversations')})`
}

/** Returns the filter that keeps a list to a scope. */
export function scopeFilter(scope: Scope | null, condition: (scope: Scope) => RawBuilder<SqlBool>): Filter[] {
  if (scope === null) return []
  return [{ column: 'scope', value: JSON.stringify(scope), index: null, condition: condition(scope) }]
}
