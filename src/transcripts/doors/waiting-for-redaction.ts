import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import type { Tables } from '../../storage/tables.ts'
import { textColumns } from '../../texts/text-columns.ts'
import { type RedactionMode, type TextRow, textRow } from '../../texts/text-rows.ts'
import type { PersonKeys } from '../../users/person-store.ts'

type Db = Kysely<Tables>

/** The texts of an agent to redact: those of one completion, of a person, or all before a time. */
export type RedactionScope = { completionId: string } | { person: PersonKeys } | { before: string }

type WithCompletions = ExpressionBuilder<Tables, 'completions'>

/**
 * Returns the condition that a completion is in a scope. A scope by time holds only completions that a mode has not
 * redacted yet.
 */
function inScope(agentId: number, scope: RedactionScope, mode: RedactionMode) {
  return (where: WithCompletions): Expression<SqlBool> => {
    const ofAgent = where('completions.agent_id', '=', agentId)
    if ('completionId' in scope) return where.and([ofAgent, where('completions.id', '=', scope.completionId)])
    if ('person' in scope) return where.and([ofAgent, where('completions.user_id', 'in', scope.person)])
    return notYet(where, 'completions.redacted', mode, [
      ofAgent,
      where('completions.created_at', '<', scope.before),
    ])
  }
}

/** Returns a query for the ids of a person's completions, or of one. */
export function completionsIn(db: Db, agentId: number, scope: Exclude<RedactionScope, { before: string }>) {
  const ofAgent = db.selectFrom('completions').select('completions.id').where('agent_id', '=', agentId)
  return 'person' in scope
    ? ofAgent.where('user_id', 'in', scope.person)
    : ofAgent.where('id', '=', scope.completionId)
}

/** Returns a query for the ids of given completions. */
export function completionsWith(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('completions')
    .select('completions.id')
    .where(({ eb, lit }) => (ids.length > 0 ? eb('id', 'in', ids) : lit(false)))
}

/**
 * Returns the condition that a mode has not redacted a row yet. A scrub also redacts what was anonymized, but not the
 * other way round.
 * @param found further conditions. They are repeated for each state, so that SQLite reads a range of an index for each.
 */
function notYet<T extends keyof Tables>(
  where: ExpressionBuilder<Tables, T>,
  column: ReferenceExpression<Tables, T>,
  mode: RedactionMode,
  found: Expression<SqlBool>[] = [],
): Expression<SqlBool> {
  const untouched = where.and([...found, where(column, 'is', null)])
  return mode === 'scrub'
    ? where.or([untouched, where.and([...found, where(column, '=', 'anonymize')])])
    : untouched
}

/** Returns the condition that a mode has redacted all messages of a completion. */
export function noMessageWaits(mode: RedactionMode) {
  return ({ not, exists, selectFrom }: WithCompletions): Expression<SqlBool> =>
    not(
      exists(
        selectFrom('messages')
          .select('messages.id')
          .whereRef('messages.completion_id', '=', 'completions.id')
          .where((where) => notYet(where, 'messages.redacted', mode))
          // With a limit, PostgreSQL searches for each completion by itself, and does not join all messages.
          .limit(1)
          .offset(0),
      ),
    )
}

/** Returns a query for the ids of the message rows that a mode has not redacted yet, with or without a completion. */
function waitingMessages(db: Db, agentId: number, scope: RedactionScope, mode: RedactionMode) {
  const prompted = db
    .selectFrom('messages')
    .innerJoin('completions', 'completions.id', 'messages.completion_id')
    .select('messages.id as id')
    .where(inScope(agentId, scope, mode))
    .where((where) => notYet(where, 'messages.redacted', mode))
  if ('completionId' in scope) return prompted
  // The age of a message counts too: a person may answer a prompt much later.
  const ofScope = 'before' in scope ? prompted.where('messages.created_at', '<', scope.before) : prompted
  return ofScope.unionAll(
    db
      .selectFrom('messages')
      .select('messages.id')
      .where(unprompted(agentId, scope, mode)),
  )
}

/**
 * Returns the condition for messages without a completion: greetings, pause messages, messages of automations, and
 * answers of people before the first prompt. They belong to the end user of their conversation.
 */
function unprompted(
  agentId: number,
  scope: Exclude<RedactionScope, { completionId: string }>,
  mode: RedactionMode,
) {
  return (where: ExpressionBuilder<Tables, 'messages'>): Expression<SqlBool> => {
    const ofNoCompletion = where('messages.completion_id', 'is', null)
    if ('before' in scope)
      return notYet(where, 'messages.redacted', mode, [
        ofNoCompletion,
        where('messages.agent_id', '=', agentId),
        where('messages.created_at', '<', scope.before),
      ])
    return where.and([
      ofNoCompletion,
      where('messages.conversation_id', 'in', conversationsOf(where, agentId, scope.person)),
      notYet(where, 'messages.redacted', mode),
    ])
  }
}

/** Returns a query for the conversations of a person, also of those without a prompt of theirs. */
function conversationsOf(
  db: Pick<ExpressionBuilder<Tables, 'messages'>, 'selectFrom'>,
  agentId: number,
  person: PersonKeys,
) {
  return db
    .selectFrom('conversations')
    .select('conversations.id')
    .where('conversations.agent_id', '=', agentId)
    .where('conversations.user_id', 'in', person)
}

/** Reads the conversations of a person that `completionsIn` does not reach, because no prompt in them is theirs. */
export async function conversationsWithoutPrompt(
  db: Db,
  agentId: number,
  person: PersonKeys,
): Promise<string[]> {
  const rows = await conversationsOf(db, agentId, person)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('completions')
            .select('completions.id')
            .whereRef('completions.conversation_id', '=', 'conversations.id')
            .where('completions.user_id', 'in', person),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** A message row. */
export interface MessageTextRow extends TextRow {
  id: number
  conversationId: string
}

/**
 * The bytes of texts that are rewritten in one transaction. On SQLite, a transaction of 8 MB keeps everybody waiting
 * for more than 50 ms.
 */
const BYTES_AT_ONCE = 2 * 1024 * 1024

/**
 * Counts the next message rows that a mode has not redacted yet and that are redacted at once, and tells whether that
 * leaves some.
 */
export async function countNextMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<{ count: number; areSomeLeft: boolean }> {
  const bytes = sql<number>`${sql.join(
    [...textColumns('messages').keys()].map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )}`
  const rows = await db
    .selectFrom('messages')
    .select(bytes.as('bytes'))
    .where('id', 'in', waitingMessages(db, agentId, scope, mode).orderBy('id').limit(limit))
    .orderBy('id')
    .execute()
  let left = BYTES_AT_ONCE
  const over = rows.findIndex((row) => {
    left -= row.bytes
    return left < 0
  })
  // A single row may be larger.
  const count = over < 0 ? rows.length : Math.max(1, over)
  return { count, areSomeLeft: count < rows.length || count === limit }
}

/** Reads the next message rows that a mode has not redacted yet, in order. */
export async function selectWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<MessageTextRow[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'completion_id', 'redacted', ...textColumns('messages').keys()])
    .where('id', 'in', waitingMessages(db, agentId, scope, mode).orderBy('id').limit(limit))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...textRow('messages', row, row.completion_id, row.conversation_id),
    id: row.id,
  }))
}

export function countWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
): Promise<number> {
  return countRows(db.selectFrom(waitingMessages(db, agentId, scope, mode).as('waiting')))
}

const completionColumns = [
  ...(['id', 'conversation_id', 'redacted'] as const),
  ...textColumns('completions').keys(),
]

/** Reads those of some completions whose own texts a mode has not redacted yet. */
export async function selectWaitingCompletions(
  db: Db,
  ids: string[],
  mode: RedactionMode,
): Promise<TextRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('completions')
    .select(completionColumns)
    .where('id', 'in', ids)
    .where((where) => notYet(where, 'completions.redacted', mode))
    .execute()
  return rows.map((row) => textRow('completions', row, row.id, row.conversation_id))
}

/**
 * Reads completions of which only their own texts wait. If a message waits too, the completion is redacted with that
 * message, once the message is old enough for the scope.
 */
export async function selectCompletionsWithoutMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<TextRow[]> {
  const rows = await db
    .selectFrom('completions')
    .select(completionColumns)
    .where(inScope(agentId, scope, mode))
    .where((where) => notYet(where, 'completions.redacted', mode))
    .where(noMessageWaits(mode))
    // This is the order of the scope's index. In another order SQLite would read all completions of the
    // agent.
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => textRow('completions', row, row.id, row.conversation_id))
}

/** Returns the condition that a text without a completion is in a scope, by the conversation and the time that it has. */
export function isStrayInScope(
  db: Db,
  agentId: number,
  scope: Exclude<RedactionScope, { completionId: string }>,
): RawBuilder<SqlBool> {
  return 'before' in scope
    ? sql`created_at < ${scope.before}`
    : sql`conversation_id in ${conversationsOf(db, agentId, scope.person)}`
}
