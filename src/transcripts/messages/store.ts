import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { MessageRow } from '../tables.ts'
import { areShownToSites } from './shown-to-sites.ts'

type Db = Kysely<Tables>

type MessageValues = Omit<
  MessageRow,
  'id' | 'shown_as' | 'delivery' | 'delivery_reason' | 'round' | 'quoted' | 'mailed_to' | 'mailed_at'
>

function messageValues(param: ParamOf<MessageValues>) {
  return {
    agent_id: param('agent_id'),
    conversation_id: param('conversation_id'),
    completion_id: param('completion_id'),
    role: param('role'),
    content: param('content'),
    tool_calls: param('tool_calls'),
    tool_call_id: param('tool_call_id'),
    author: param('author'),
    operator_id: param('operator_id'),
    redacted: param('redacted'),
    kind: param('kind'),
    attachments: param('attachments'),
    template: param('template'),
    withheld: param('withheld'),
    created_at: param('created_at'),
  }
}

export const insertMessage = prepared((db, param: ParamOf<MessageValues>) =>
  db.insertInto('messages').values(messageValues(param)).returning('id'),
)

/** Inserts a message that belongs to a call of the agent's own tools. */
export const insertRoundMessage = prepared((db, param: ParamOf<MessageValues & { round: number }>) =>
  db
    .insertInto('messages')
    .values({ ...messageValues(param), round: param('round') })
    .returning('id'),
)

/** Reads the files of some messages as they are stored with them. */
export async function selectAttachments(
  db: Db,
  ids: readonly number[],
): Promise<Pick<MessageRow, 'id' | 'attachments'>[]> {
  return db.selectFrom('messages').select(['id', 'attachments']).where('id', 'in', ids).execute()
}

/** Reads the modes in which messages of a completion were redacted, each once. */
export const selectRedactions = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db
    .selectFrom('messages')
    .select('redacted')
    .distinct()
    .where('completion_id', '=', param('completion_id'))
    .where('redacted', 'is not', null),
)

/** Returns the condition that the end user got a message, or is about to get it. */
function isSeen(where: ExpressionBuilder<Tables, 'messages'>) {
  return where.and([
    where('withheld', '=', 0),
    where.or([where('delivery', 'is', null), where('delivery', '!=', 'failed')]),
  ])
}

/** Reads the newest messages of a conversation, newest first, without those that the end user never got. */
export const selectNewestMessages = prepared(
  (db, param: ParamOf<{ conversation_id: string; after: number; before: number; limit: number }>) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', param('conversation_id'))
      .where('id', '>', param('after'))
      .where('id', '<', param('before'))
      .where(isSeen)
      .orderBy('id', 'desc')
      .limit(param('limit')),
)

/** Reads messages of a conversation, oldest first, without those that the end user never got. */
export async function selectMessagesBetween(
  db: Db,
  {
    conversation_id,
    after,
    before,
    limit,
  }: { conversation_id: string; after: number; before: number; limit: number },
): Promise<MessageRow[]> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('id', '>', after)
    .where('id', '<', before)
    .where(isSeen)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** A request for a page of the messages of a conversation. */
interface MessagesRequest extends PageRequest {
  order: 'asc' | 'desc'
  /** Only messages after the one with this id. */
  after?: number | undefined
  /**
   * With `after`: the result of `settledUpTo` for messages. Anyone who continues after what they have read misses none.
   */
  settled?: number | null
  /** True if only those are wanted that a web site's own server sees. */
  isForSite: boolean
}

export async function selectMessagesPage(
  db: Db,
  conversationId: string,
  request: MessagesRequest,
): Promise<Page<MessageRow>> {
  const { order, after, settled, isForSite } = request
  const all = db.selectFrom('messages').selectAll()
  const shown = isForSite ? all.where(areShownToSites) : all
  // `id + 0` is not a bound of the index, because the next page has another limit.
  const query = settled == null ? shown : shown.where(sql<SqlBool>`id + 0 <= ${settled}`)
  const least = after === undefined ? undefined : after + 1
  return selectPage(
    db,
    { query, of: { conversation_id: conversationId }, key: ['id'], order, least },
    request,
  )
}

/** Reads all messages of a completion, in order. */
export const selectCompletionMessages = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db.selectFrom('messages').selectAll().where('completion_id', '=', param('completion_id')).orderBy('id'),
)

/** Reads all messages of some completions, in order. */
export async function selectMessagesOf(db: Db, completionIds: string[]): Promise<MessageRow[]> {
  if (completionIds.length === 0) return []
  return db
    .selectFrom('messages')
    .selectAll()
    .where('completion_id', 'in', completionIds)
    .orderBy('id')
    .execute()
}
