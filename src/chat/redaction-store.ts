import { type Kysely, sql } from 'kysely'
import { queues } from '../lib/queues.ts'
import type { Engine } from '../storage/engine.ts'
import type { CompletionRow, MessageRow, RedactionMode, Tables } from '../storage/tables.ts'
import {
  type Aside,
  inScope,
  noMessageWaits,
  type RedactableCompletion,
  type RedactableMessage,
  type RedactionScope,
} from './waiting-for-redaction.ts'

type Db = Kysely<Tables>

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

/** The same for a completion's own texts: feedback or an answer's citations that came meanwhile wait for the next. */
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
    .where('citations', read.citations === null ? 'is' : '=', read.citations)
    .where('redacted', read.redacted === null ? 'is' : '=', read.redacted)
    .executeTakeFirst()
  return numUpdatedRows > 0n
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
    .where(noMessageWaits(mode))
    .execute()
}
