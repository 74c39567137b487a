import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { CompletionRow, MessageRow, RedactionMode, Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** Which completions of an agent are redacted: one, all of an end user, or all up to a time. */
export type RedactionScope = { completionId: string } | { userId: string } | { before: string }

type WithCompletions = ExpressionBuilder<Tables, 'completions'>

function inScope(agentId: number, scope: RedactionScope) {
  return (where: WithCompletions): Expression<SqlBool> =>
    where.and([
      where('completions.agent_id', '=', agentId),
      'completionId' in scope
        ? where('completions.id', '=', scope.completionId)
        : 'userId' in scope
          ? where('completions.user_id', '=', scope.userId)
          : where('completions.created_at', '<', scope.before),
    ])
}

function waitingMessages(db: Db, agentId: number, scope: RedactionScope, mode: RedactionMode) {
  return db
    .selectFrom('messages')
    .innerJoin('completions', 'completions.id', 'messages.completion_id')
    .where(inScope(agentId, scope))
    .where((where) =>
      mode === 'scrub'
        ? where.or([where('messages.redacted', 'is', null), where('messages.redacted', '=', 'anonymize')])
        : where('messages.redacted', 'is', null),
    )
}

export type RedactableMessage = Pick<MessageRow, 'id' | 'role' | 'content' | 'tool_calls' | 'author' | 'redacted'>

/** Message rows that a mode has not reached yet, in their order. */
export async function selectWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<RedactableMessage[]> {
  return waitingMessages(db, agentId, scope, mode)
    .select([
      'messages.id',
      'messages.role',
      'messages.content',
      'messages.tool_calls',
      'messages.author',
      'messages.redacted',
    ])
    .orderBy('messages.id')
    .limit(limit)
    .execute()
}

export async function countWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
): Promise<number> {
  const { count } = await waitingMessages(db, agentId, scope, mode)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export type RedactableCompletion = Pick<
  CompletionRow,
  'id' | 'flag_reason' | 'feedback' | 'citations' | 'redacted'
>

/** Completions whose own texts a mode has not reached yet. */
export async function selectWaitingCompletions(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<RedactableCompletion[]> {
  return db
    .selectFrom('completions')
    .select(['id', 'flag_reason', 'feedback', 'citations', 'redacted'])
    .where(inScope(agentId, scope))
    .where((where) =>
      mode === 'scrub'
        ? where.or([where('redacted', 'is', null), where('redacted', '=', 'anonymize')])
        : where('redacted', 'is', null),
    )
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Writes a redacted message unless another redaction has reached the row since it was read; tells which. */
export async function writeMessage(
  db: Db,
  read: RedactableMessage,
  values: Pick<MessageRow, 'content' | 'tool_calls' | 'author' | 'redacted'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set(values)
    .where('id', '=', read.id)
    .where('content', '=', read.content)
    .where('redacted', read.redacted === null ? 'is' : '=', read.redacted)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same for a completion's own texts. */
export async function writeCompletion(
  db: Db,
  read: RedactableCompletion,
  values: Pick<CompletionRow, 'flag_reason' | 'feedback' | 'citations' | 'redacted'>,
): Promise<void> {
  await db
    .updateTable('completions')
    .set(values)
    .where('id', '=', read.id)
    .where('redacted', read.redacted === null ? 'is' : '=', read.redacted)
    .where('feedback', read.feedback === null ? 'is' : '=', read.feedback)
    .where('flag_reason', read.flag_reason === null ? 'is' : '=', read.flag_reason)
    .execute()
}
