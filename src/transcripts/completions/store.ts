import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { waitingItemsOf } from '../../mailboxes/waiting-items-of.ts'
import type { Flag } from '../../storage/flag.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { GONE_PROCESSES } from '../../storage/presence.ts'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow, MessageRow } from '../tables.ts'

type Db = Kysely<Tables>

type NewCompletion = Pick<
  CompletionRow,
  | 'id'
  | 'agent_id'
  | 'conversation_id'
  | 'channel_id'
  | 'user_id'
  | 'device_id'
  | 'session_id'
  | 'page_url'
  | 'language'
  | 'created_at'
  | 'model'
  | 'holder'
>

export const insertCompletion = prepared((db, param: ParamOf<NewCompletion>) =>
  db
    .insertInto('completions')
    .values({
      id: param('id'),
      agent_id: param('agent_id'),
      conversation_id: param('conversation_id'),
      channel_id: param('channel_id'),
      user_id: param('user_id'),
      device_id: param('device_id'),
      session_id: param('session_id'),
      page_url: param('page_url'),
      language: param('language'),
      created_at: param('created_at'),
      model: param('model'),
      holder: param('holder'),
      tags: '[]',
    })
    .returning('number'),
)

type CompletionEnd = Pick<
  CompletionRow,
  | 'id'
  | 'model'
  | 'finish_reason'
  | 'error_code'
  | 'answered_at'
  | 'agent_paused'
  | 'citations'
  | 'ctas'
  | 'usage'
>

/** Ends a completion that is still open; returns nothing when something else has ended it. */
export const endCompletion = prepared((db, param: ParamOf<CompletionEnd>) =>
  db
    .updateTable('completions')
    .set({
      model: param('model'),
      finish_reason: param('finish_reason'),
      error_code: param('error_code'),
      answered_at: param('answered_at'),
      agent_paused: param('agent_paused'),
      citations: param('citations'),
      ctas: param('ctas'),
      usage: param('usage'),
    })
    .where('id', '=', param('id'))
    .where('answered_at', 'is', null)
    .returning(['id', 'redactions']),
)

export const selectCompletionById = prepared((db, param: ParamOf<{ agent_id: number; id: string }>) =>
  db
    .selectFrom('completions')
    .selectAll()
    .where('id', '=', param('id'))
    .where('agent_id', '=', param('agent_id')),
)

export const selectCompletionByNumber = prepared((db, param: ParamOf<{ agent_id: number; number: number }>) =>
  db
    .selectFrom('completions')
    .selectAll()
    .where('number', '=', param('number'))
    .where('agent_id', '=', param('agent_id')),
)

export const selectCompletionMessages = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db.selectFrom('messages').selectAll().where('completion_id', '=', param('completion_id')).orderBy('id'),
)

export async function selectMessagesOf(db: Db, completionIds: string[]): Promise<MessageRow[]> {
  if (completionIds.length === 0) return []
  return db
    .selectFrom('messages')
    .selectAll()
    .where('completion_id', 'in', completionIds)
    .orderBy('id')
    .execute()
}

export async function updateCompletion(
  db: Db,
  id: string,
  values: Partial<
    Pick<
      CompletionRow,
      'liked' | 'flagged' | 'flag_reason' | 'feedback' | 'score' | 'citations' | 'ctas' | 'redacted'
    >
  >,
): Promise<CompletionRow> {
  return db
    .updateTable('completions')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Still open although its process is gone, or it was begun before a time. */
function isAbandoned(where: ExpressionBuilder<Tables, 'completions'>, before: string) {
  return where.and([
    where('answered_at', 'is', null),
    where.or([
      where(sql<string>`coalesce(taken_up_at, created_at)`, '<', before),
      where('holder', 'in', GONE_PROCESSES),
    ]),
    // One that came through a channel is taken up again by whoever works its mailbox next.
    where.not(where.exists(waitingItemsOf(where))),
  ])
}

/** Completions that nobody answers any more, some of them. @param before as in `endAbandoned` */
export async function selectAbandoned(db: Db, before: string) {
  return db
    .selectFrom('completions')
    .select(['id', 'agent_id', 'conversation_id'])
    .where((where) => isAbandoned(where, before))
    .limit(1000)
    .execute()
}

/**
 * Ends a completion that nobody answers any more.
 * @param before an answer that was begun before this time has had time enough
 * @returns whether it was still so
 */
export async function endAbandoned(db: Db, id: string, before: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('completions')
    .set({ answered_at: now, finish_reason: 'error', error_code: ABANDONED })
    .where('id', '=', id)
    .where((where) => isAbandoned(where, before))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes a completion this process's that another one has left behind; whether there was something to take up. */
export async function takeUpCompletion(db: Db, id: string, holder: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('completions')
    .set({ holder, taken_up_at: now, answered_at: null, finish_reason: null, error_code: null })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('error_code', '=', ABANDONED),
        where.and([where('answered_at', 'is', null), where('holder', 'in', GONE_PROCESSES)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The `error_code` of a prompt that was given no answer at all: its process died. */
const ABANDONED = 'abandoned'

export function flag(value: boolean): Flag {
  return value ? 1 : 0
}
