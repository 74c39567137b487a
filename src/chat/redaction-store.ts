import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import { queues } from '../lib/queues.ts'
import type { Engine } from '../storage/engine.ts'
import type { CompletionRow, MessageRow, RedactionMode, Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** Whose texts of an agent are redacted: those of one completion, of an end user, or all up to a time. */
export type RedactionScope = { completionId: string } | { userId: string } | { before: string }

type WithCompletions = ExpressionBuilder<Tables, 'completions'>

function inScope(agentId: number, scope: RedactionScope, mode: RedactionMode) {
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

/** Ids of the message rows that a mode has not reached yet: those of completions, and the unprompted ones. */
function waitingMessages(db: Db, agentId: number, scope: RedactionScope, mode: RedactionMode) {
  const prompted = db
    .selectFrom('messages')
    .innerJoin('completions', 'completions.id', 'messages.completion_id')
    .select('messages.id as id')
    .where(inScope(agentId, scope, mode))
    .where((where) => notYet(where, 'messages.redacted', mode))
  if ('completionId' in scope) return prompted
  return prompted.unionAll(
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

export type RedactableMessage = Pick<
  MessageRow,
  'id' | 'completion_id' | 'role' | 'content' | 'tool_calls' | 'author' | 'redacted'
>

/** Message rows that a mode has not reached yet, in their order. */
export async function selectWaitingMessages(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  limit: number,
): Promise<RedactableMessage[]> {
  return db
    .selectFrom('messages')
    .select(['id', 'completion_id', 'role', 'content', 'tool_calls', 'author', 'redacted'])
    .where('id', 'in', waitingMessages(db, agentId, scope, mode).orderBy('id').limit(limit))
    .orderBy('id')
    .execute()
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
  return (
    db
      .selectFrom('completions')
      .select(['id', 'flag_reason', 'feedback', 'citations', 'redacted'])
      .where(inScope(agentId, scope, mode))
      .where((where) => notYet(where, 'completions.redacted', mode))
      // As the scope's index has them: sought otherwise, SQLite walks through all that an agent has.
      .orderBy('before' in scope ? 'created_at' : 'number')
      .limit(limit)
      .execute()
  )
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

/** The same for a completion's own texts: feedback that came meanwhile waits for the next redaction. */
export async function writeCompletion(
  db: Db,
  read: RedactableCompletion,
  values: Pick<CompletionRow, 'flag_reason' | 'feedback' | 'citations'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('completions')
    .set(values)
    .where('id', '=', read.id)
    .where('feedback', read.feedback === null ? 'is' : '=', read.feedback)
    .where('flag_reason', read.flag_reason === null ? 'is' : '=', read.flag_reason)
    .where('redacted', read.redacted === null ? 'is' : '=', read.redacted)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What evaluators said of completions, and what was noted about them: texts beside the messages. */
export async function selectAsides(db: Db, completionIds: string[]): Promise<Aside[]> {
  if (completionIds.length === 0) return []
  const evaluations = await db
    .selectFrom('evaluations')
    .select(['id', 'content'])
    .where('completion_id', 'in', completionIds)
    .where('content', 'is not', null)
    .execute()
  const notes = await db
    .selectFrom('conversation_notes')
    .select(['id', 'text'])
    .where('completion_id', 'in', completionIds)
    .execute()
  return [
    ...evaluations.map(({ id, content }) => ({ table: 'evaluations' as const, id, text: content ?? '' })),
    ...notes.map(({ id, text }) => ({ table: 'conversation_notes' as const, id, text })),
  ]
}

export interface Aside {
  table: 'evaluations' | 'conversation_notes'
  id: number
  text: string
}

/** Writes a redacted text unless another redaction has reached it since it was read. */
export async function writeAside(db: Db, { table, id, text: read }: Aside, text: string): Promise<void> {
  if (table === 'evaluations')
    await db
      .updateTable('evaluations')
      .set({ content: text })
      .where('id', '=', id)
      .where('content', '=', read)
      .execute()
  else
    await db
      .updateTable('conversation_notes')
      .set({ text })
      .where('id', '=', id)
      .where('text', '=', read)
      .execute()
}

/** Gives up what an end user wrote and nobody could work: its text is kept nowhere else. */
export async function dropParkedTexts(db: Db, agentId: number, userId: string, now: string): Promise<void> {
  await db
    .updateTable('mailbox_items')
    .set({ state: 'failed', payload: null, error: 'redacted', finished_at: now })
    .where(sql<boolean>`state = 'parked'`)
    .where('payload', 'is not', null)
    .where('mailbox_id', 'in', (select) =>
      select
        .selectFrom('mailboxes')
        .leftJoin('conversations', 'conversations.id', 'mailboxes.conversation_id')
        .select('mailboxes.id')
        .where('mailboxes.agent_id', '=', agentId)
        .where((where) =>
          where.or([where('conversations.user_id', '=', userId), where('mailboxes.thread', '=', userId)]),
        ),
    )
    .execute()
}

/** The class of PostgreSQL's advisory locks that redactions of agents take. */
const REDACTIONS = 1

/** Redactions of an agent in this process. */
const inTurn = queues<number>()

/**
 * Lets one redaction of an agent write at a time: two would wait for each other's rows. Those of this process wait
 * without a connection, of which there are few; SQLite has one transaction at a time anyway.
 */
export async function writeRedaction(
  db: Db,
  engine: Engine,
  agentId: number,
  write: (db: Db) => Promise<void>,
): Promise<void> {
  if (engine.kind === 'sqlite') return db.transaction().execute(write)
  await inTurn(agentId, () =>
    db.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(${REDACTIONS}::integer, ${agentId}::integer)`.execute(db)
      await write(db)
    }),
  )
}

/** Keeps deliveries from being made of completions until the transaction ends; afterwards, of what they read before. */
export async function lockCompletions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set((row) => ({ redactions: sql<number>`${row.ref('redactions')} + 1` }))
    .where('id', 'in', ids)
    .execute()
}

/** Forgets the bodies of webhooks that told of completions, and what receivers answered to them. */
export async function wipeDeliveries(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ payload: null, answer: null })
    .where('payload', 'is not', null)
    .where('completion_id', 'in', (select) =>
      select
        .selectFrom('completions')
        .select('completions.id')
        .where(inScope(agentId, scope, mode)),
    )
    .execute()
}

/** Marks those of some completions as redacted of which no message row waits any more. */
export async function markFinished(db: Db, ids: string[], mode: RedactionMode): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set({ redacted: mode })
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.completion_id', '=', 'completions.id')
            .where((where) => notYet(where, 'messages.redacted', mode)),
        ),
      ),
    )
    .execute()
}
