import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../tables.ts'
import { asideTables, type TextColumn, type TextTable, textColumns } from './text-columns.ts'

type Db = Kysely<Tables>

/** Whose texts of an agent are redacted: those of one completion, of an end user, or all up to a time. */
export type RedactionScope = { completionId: string } | { userId: string } | { before: string }

type WithCompletions = ExpressionBuilder<Tables, 'completions'>

/** Whether a completion is of a scope; of all up to a time, those that a mode has not reached yet. */
export function inScope(agentId: number, scope: RedactionScope, mode: RedactionMode) {
  return (where: WithCompletions): Expression<SqlBool> => {
    const ofAgent = where('completions.agent_id', '=', agentId)
    if ('completionId' in scope) return where.and([ofAgent, where('completions.id', '=', scope.completionId)])
    if ('userId' in scope) return where.and([ofAgent, where('completions.user_id', '=', scope.userId)])
    return notYet(where, 'completions.redacted', mode, [
      ofAgent,
      where('completions.created_at', '<', scope.before),
    ])
  }
}

/**
 * A scrub goes over what was anonymized; after a scrub nothing is left to anonymize.
 * @param found conditions that find the rows, said of each state: SQLite then reads a range of their index for either
 */
export function notYet<T extends keyof Tables>(
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

/** Whether a mode has reached all messages of a completion. */
export function noMessageWaits(mode: RedactionMode) {
  return ({ not, exists, selectFrom }: WithCompletions): Expression<SqlBool> =>
    not(
      exists(
        selectFrom('messages')
          .select('messages.id')
          .whereRef('messages.completion_id', '=', 'completions.id')
          .where((where) => notYet(where, 'messages.redacted', mode))
          // PostgreSQL then seeks for each completion, and does not read all messages to join them.
          .limit(1)
          .offset(0),
      ),
    )
}

/** Ids of the message rows that a mode has not reached yet: those of completions, and the unprompted ones. */
function waitingMessages(db: Db, agentId: number, scope: RedactionScope, mode: RedactionMode) {
  const prompted = db
    .selectFrom('messages')
    .innerJoin('completions', 'completions.id', 'messages.completion_id')
    .select('messages.id as id')
    .where(inScope(agentId, scope, mode))
    .where((where) => notYet(where, 'messages.redacted', mode))
  if ('completionId' in scope) return prompted
  // A person's answer may be much younger than the prompt that it answers.
  const ofScope = 'before' in scope ? prompted.where('messages.created_at', '<', scope.before) : prompted
  return ofScope.unionAll(
    db
      .selectFrom('messages')
      .select('messages.id')
      .where(unprompted(agentId, scope, mode)),
  )
}

/**
 * Messages of no completion: greetings, pause messages, what automations send, people's answers before the first
 * prompt. They are of the end user of their conversation.
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
      where('messages.conversation_id', 'in', conversationsOf(where, agentId, scope.userId)),
      notYet(where, 'messages.redacted', mode),
    ])
  }
}

/**
 * The conversations of an end user: only on channels is there one without a prompt of theirs, so that no other needs
 * an index by user.
 */
function conversationsOf(
  { selectFrom }: ExpressionBuilder<Tables, 'messages'>,
  agentId: number,
  userId: string,
) {
  const onChannels = selectFrom('conversations')
    .select('conversations.id')
    .where('conversations.agent_id', '=', agentId)
    .where('conversations.user_id', '=', userId)
    .where('conversations.channel_id', 'is not', null)
  const withPrompts = selectFrom('completions')
    .innerJoin('conversations', 'conversations.id', 'completions.conversation_id')
    .select('conversations.id')
    .where('completions.agent_id', '=', agentId)
    .where('completions.user_id', '=', userId)
    .where('conversations.user_id', '=', userId)
  return onChannels.union(withPrompts)
}

/** A row whose texts are to be redacted. */
export interface TextRow {
  table: TextTable
  id: string | number
  /** Null: a message of no completion. */
  completionId: string | null
  /** Its text columns as they were read. */
  texts: Record<string, string | null>
  /** How far it was redacted when it was read, where the table tells. */
  redacted?: RedactionMode | null
}

function textRow<Table extends TextTable>(
  table: Table,
  row: { id: string | number; redacted?: RedactionMode | null } & Record<TextColumn<Table>, string | null>,
  completionId: string | null,
): TextRow {
  const texts = Object.fromEntries([...textColumns(table).keys()].map((column) => [column, row[column]]))
  const { id, redacted } = row
  return { table, id, completionId, texts, ...(redacted === undefined ? {} : { redacted }) }
}

/** Message rows that a mode has not reached yet, in their order. */
export async function selectWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<TextRow[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'completion_id', 'redacted', ...textColumns('messages').keys()])
    .where('id', 'in', waitingMessages(db, agentId, scope, mode).orderBy('id').limit(limit))
    .orderBy('id')
    .execute()
  return rows.map((row) => textRow('messages', row, row.completion_id))
}

export async function countWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
): Promise<number> {
  const { count } = await db
    .selectFrom(waitingMessages(db, agentId, scope, mode).as('waiting'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const completionColumns = ['id' as const, 'redacted' as const, ...textColumns('completions').keys()]

/** Those of some completions whose own texts a mode has not reached yet. */
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
  return rows.map((row) => textRow('completions', row, row.id))
}

/**
 * Completions of which nothing but their own texts waits. One of which a message waits is redacted with that message:
 * while it is too young for a scope, the completion is left alone.
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
    // As the scope's index has them: sought otherwise, SQLite walks through all that an agent has.
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => textRow('completions', row, row.id))
}

/** The texts that other tables hold of completions: what evaluators said, notes, what events tell. */
export async function selectAsides(db: Db, completionIds: string[]): Promise<TextRow[]> {
  if (completionIds.length === 0) return []
  const rows = await Promise.all(
    asideTables.map(async (table) => {
      const columns = [...textColumns(table).keys()]
      const { rows } = await sql<Record<string, string | null> & { id: number; completion_id: string }>`
        select id, completion_id, ${sql.join(columns.map((column) => sql.ref(column)))}
        from ${sql.table(table)} where completion_id in (${sql.join(completionIds)})
        and (${sql.join(
          columns.map((column) => sql`${sql.ref(column)} is not null`),
          sql` or `,
        )})`.execute(db)
      return rows.map(({ id, completion_id, ...texts }) => ({
        table,
        id,
        completionId: completion_id,
        texts,
      }))
    }),
  )
  return rows.flat()
}
