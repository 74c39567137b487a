import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { waitingItemsOf } from '../../mailboxes/waiting-items-of.ts'
import type { Flag } from '../../storage/flag.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { GONE_PROCESSES } from '../../storage/presence.ts'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The columns that a completion has from its beginning. */
const BEGINNING = [
  'id',
  'agent_id',
  'conversation_id',
  'channel_id',
  'user_id',
  'proven_id',
  'device_id',
  'session_id',
  'page_url',
  'language',
  'created_at',
  'model',
  'holder',
] as const

export const insertCompletion = prepared(
  (db, param: ParamOf<Pick<CompletionRow, (typeof BEGINNING)[number]>>) =>
    db
      .insertInto('completions')
      .values({ ...each(BEGINNING, param), tags: '[]' })
      .returning('number'),
)

/** The columns that an answer adds. Its texts are also redacted before they are stored: `late-answer.ts`. */
const END = [
  'model',
  'finish_reason',
  'error_code',
  'answered_at',
  'agent_paused',
  'citations',
  'ctas',
  'usage',
] as const

/** The columns that an answer writes. */
export type EndColumn = (typeof END)[number]

/** Ends a completion that `lockTurn` found open. */
export const endCompletion = prepared((db, param: ParamOf<Pick<CompletionRow, 'id' | EndColumn>>) =>
  db.updateTable('completions').set(each(END, param)).where('id', '=', param('id')),
)

/** Returns the value of each of some columns. */
function each<Column extends keyof CompletionRow>(
  columns: readonly Column[],
  parameter: (column: Column) => CompletionRow[Column],
) {
  return Object.fromEntries(columns.map((column) => [column, parameter(column)])) as Pick<
    CompletionRow,
    Column
  >
}

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

/** Selects the newest completion of a conversation whose caller got an answer. */
export const selectLatestAnswered = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('completions')
    .select(['id', 'number'])
    .where('conversation_id', '=', param('conversation_id'))
    .where('answered_at', 'is not', null)
    .where('error_code', 'is', null)
    .where((where) => where.or([where('finish_reason', '<>', 'cancelled'), where('agent_paused', '=', 1)]))
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1),
)

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

/** Returns the condition that a completion is still open although its process is gone or it was begun before a time. */
function isAbandoned(where: ExpressionBuilder<Tables, 'completions'>, before: string) {
  const [id, conversationId] = [where.ref('completions.id'), where.ref('completions.conversation_id')]
  return where.and([
    where('answered_at', 'is', null),
    where.or([
      where(sql<string>`coalesce(taken_up_at, created_at)`, '<', before),
      where('holder', 'in', GONE_PROCESSES),
    ]),
    // The next worker of the mailbox takes up a completion that came through a channel.
    where.not(where.exists(waitingItemsOf({ id, conversationId }))),
  ])
}

/**
 * Reads some of the completions that no process answers any more.
 * @param before as for `endAbandoned`
 */
export async function selectAbandoned(db: Db, before: string, limit: number) {
  return db
    .selectFrom('completions')
    .select(['id', 'agent_id', 'conversation_id'])
    .where((where) => isAbandoned(where, before))
    .limit(limit)
    .execute()
}

/**
 * Ends a completion that no process answers any more.
 * @param before an answer that was begun before this time is not waited for
 * @returns false when the completion was taken up or ended meanwhile
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

/** Takes over a completion from a process that is gone. Returns true if there was one to take over. */
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

/** The `error_code` of a prompt that got no answer because its process died. */
export const ABANDONED = 'abandoned'

export function flag(value: boolean): Flag {
  return value ? 1 : 0
}
