import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../http/member.ts'
import type { Page, PageRequest } from '../../lib/page.ts'
import type { Filter } from '../../storage/list.ts'
import { selectMergedPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PersonKeys } from '../../users/person-store.ts'
import type { UserKey } from '../../users/user-key.ts'
import { namesOneInScope, scopeFilter } from '../conversations/in-scope.ts'
import type { CompletionRow } from '../tables.ts'
import { flag } from './store.ts'

/** Filters of an agent's completions; times are inclusive. */
interface CompletionFilter {
  conversation_id?: string | undefined
  session_id?: string | undefined
  device_id?: string | undefined
  /** The keys of a person. */
  user_id?: PersonKeys | undefined
  flagged?: boolean | undefined
  liked?: boolean | undefined
  channel_id?: number | undefined
  language?: string | undefined
  min_timestamp?: string | undefined
  max_timestamp?: string | undefined
}

/** The columns to filter by, each with an index. Those that usually leave the fewest completions come first. */
const columns = [
  'conversation_id',
  'session_id',
  'device_id',
  'user_id',
  'flagged',
  'liked',
  'channel_id',
  'language',
] as const

/** Reads a page of the completions that a caller may see, in the order in which they were made, or the other way round. */
export async function listCompletions(
  db: Kysely<Tables>,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  filter: CompletionFilter,
  { order, ...request }: PageRequest & { order: 'asc' | 'desc' },
): Promise<Page<CompletionRow>> {
  const listOf = (user_id: UserKey | undefined) => ({
    query: db.selectFrom('completions').selectAll(),
    of: { agent_id: agentId },
    guard: sql<SqlBool>`number > 0`,
    key: ['created_at', 'number'] as const,
    order,
    least: filter.min_timestamp,
    most: filter.max_timestamp,
    filters: [
      ...columns.flatMap((column) => filterBy(agentId, column, { ...filter, user_id }[column])),
      ...scopeFilter(scope, (scope) => namesOneInScope(scope, 'completions.conversation_id')),
    ],
  })
  const [first, ...others] = filter.user_id ?? []
  return selectMergedPage(db, [listOf(first), ...others.map(listOf)], request)
}

function filterBy(
  agent_id: number,
  column: (typeof columns)[number],
  wanted: string | number | boolean | undefined,
): Filter[] {
  if (wanted === undefined) return []
  const value = typeof wanted === 'boolean' ? flag(wanted) : wanted
  if (column === 'conversation_id') return [{ column, value, index: { of: { conversation_id: value } } }]
  // The index holds only flagged completions, since nearly all are not flagged.
  if (column === 'flagged' && !wanted) return [{ column, value, index: null }]
  const predicate =
    column === 'flagged' ? sql<SqlBool>`flagged > 0` : sql<SqlBool>`${sql.ref(column)} is not null`
  return [{ column, value, index: { of: { agent_id, [column]: value }, predicate } }]
}
