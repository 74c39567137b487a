import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../http/scope.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { NORMAL, rankOf } from '../transcripts/conversations/priority.ts'
import type { InboxQuery } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'
import type { Range } from './inbox-rows.ts'
import { views } from './inbox-views.ts'
import { ENDED, type InboxState, UNASSIGNED } from './states.ts'

/** The most ranges that are read beside each other. */
const MOST_RANGES = 20

/**
 * Returns the ranges that cover a view, newest message first. Those of a scope may overlap: `unless` then says which rows
 * of a range are in another, too.
 */
export function latestOf({ scope }: Owner, reader: InboxReader | null, query: InboxQuery): Range[] {
  const { states, only } = views[query.view]
  const { group, priority } = query
  const assignee = assigneeOf(query, reader)
  if (priority !== undefined && rankOf(priority) !== NORMAL)
    return states.map((state) =>
      along({ state, priority: rankOf(priority) }, sql<SqlBool>`priority <> ${sql.lit(NORMAL)}`),
    )
  if (only) return [along({}, sql.raw(only.sql))]
  if (assignee) return assignable(states).map((state) => ofAssignee(assignee, state))
  if (group) return states.map((state) => inGroup(group, state))
  const ofScope = scope ? inScopeOnly(scope, states) : null
  return ofScope ?? states.map((state) => along({ state }, sql<SqlBool>`sequence > 0`))
}

/** Returns the person whose conversations a query is for. 0: those of nobody; undefined: those of all. */
function assigneeOf({ view, assignee }: InboxQuery, reader: InboxReader | null): number | undefined {
  return views[view].isOfReader ? (reader?.operatorId ?? 0) : assignee
}

const along = (of: Range['of'], guard: Range['guard']): Range => ({ order: 'latest', of, guard })

const inGroup = (group_id: number, state: InboxState) =>
  along({ group_id, state }, sql<SqlBool>`group_id > 0`)

function ofAssignee(assignee_id: number, state: InboxState): Range {
  const isIn = sql<SqlBool>`state = ${sql.lit(state)}`
  return along({ assignee_id }, state === ENDED ? sql<SqlBool>`${isIn} and assignee_id > 0` : isIn)
}

/** Returns those of some states in which conversations can be somebody's. */
function assignable(states: readonly InboxState[]): InboxState[] {
  return states.filter((state) => state !== UNASSIGNED)
}

/**
 * Returns the ranges of the conversations of a scope that have one of some states. Null when there are too many ranges,
 * or when the scope includes conversations of no group, which are most.
 */
function inScopeOnly({ operatorId, groups }: Scope, states: readonly InboxState[]): Range[] | null {
  if (groups.includes(0)) return null
  const unless = groups.length === 0 ? {} : { unless: sql<SqlBool>`group_id in (${sql.join(groups)})` }
  const ranges = [
    ...groups.flatMap((group) => states.map((state) => inGroup(group, state))),
    ...assignable(states).map((state) => ({ ...ofAssignee(operatorId, state), ...unless })),
  ]
  return ranges.length <= MOST_RANGES ? ranges : null
}

export const DUE: Range = { order: 'due', of: {}, guard: sql<SqlBool>`due_at is not null` }
export const LONGEST: Range = { order: 'longest', of: {}, guard: sql<SqlBool>`waiting_since is not null` }

/**
 * Returns the ranges that cover the waiting conversations of a view, the longest wait first. A conversation that is in a
 * group and assigned to the person is in two of them.
 */
export function longestOf({ scope }: Owner, reader: InboxReader | null, query: InboxQuery): Range[] {
  const assignee = assigneeOf(query, reader)
  if (query.view === 'paused')
    return [{ ...LONGEST, guard: sql<SqlBool>`${LONGEST.guard} and is_paused = 1` }]
  if (assignee) return [longestOfOne('assignee_id', assignee)]
  if (query.group) return [longestOfOne('group_id', query.group)]
  if (!scope || scope.groups.includes(0) || scope.groups.length >= MOST_RANGES) return [LONGEST]
  return [
    longestOfOne('assignee_id', scope.operatorId),
    ...scope.groups.map((group_id) => longestOfOne('group_id', group_id)),
  ]
}

function longestOfOne(column: 'assignee_id' | 'group_id', value: number): Range {
  return {
    ...LONGEST,
    of: { [column]: value },
    guard: sql<SqlBool>`${LONGEST.guard} and ${sql.ref(column)} > 0`,
  }
}
