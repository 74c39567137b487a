import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { Page, PageRequest } from '../../lib/page.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { ConversationRow, MessageRow } from '../tables.ts'
import { indexTags } from './tag-index.ts'

type Db = Kysely<Tables>

const conversationColumns = [
  'id',
  'external_id',
  'agent_id',
  'team_id',
  'tags',
  'started_at',
  'ended_at',
  'agent_paused',
  'agent_paused_at',
  'agent_resumed_at',
] as const

export type ListedConversation = Pick<ConversationRow, (typeof conversationColumns)[number]>

export const countConversations = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db.selectFrom('agent_counters').select('conversations').where('agent_id', '=', param('agent_id')),
)

/**
 * Reads a page of the agent's conversations, newest first, each with the number of all: `size` conversations below the
 * newest `skip` of those numbered up to `snapshot`.
 */
export const selectNumberedPage = prepared(
  (db, param: ParamOf<{ agent_id: number; snapshot: number; skip: number; size: number }>) => {
    const counter = db.selectFrom('agent_counters').where('agent_id', '=', param('agent_id'))
    const total = sql<number>`case when conversations < ${param('snapshot')} then conversations else ${param('snapshot')} end`
    return db
      .selectFrom('conversations')
      .select(counter.select('conversations').as('present'))
      .select(conversationColumns)
      .where('agent_id', '=', param('agent_id'))
      .where('sequence', '<=', counter.select(sql<number>`${total} - ${param('skip')}`.as('until')))
      .orderBy('sequence', 'desc')
      .limit(param('size'))
  },
)

/** Reads a page of the conversations that an end user had before a given one, newest first. */
export async function selectEarlierPage(
  db: Db,
  { agent_id, user_id, sequence }: Pick<ConversationRow, 'agent_id' | 'user_id' | 'sequence'>,
  request: PageRequest,
): Promise<Page<ListedConversation & Pick<ConversationRow, 'sequence'>>> {
  const query = db
    .selectFrom('conversations')
    .select([...conversationColumns, 'sequence'])
    .where('user_id', 'is not', null)
  const of = { agent_id, user_id: user_id ?? '' }
  return selectPage(db, { query, of, key: ['sequence'], order: 'desc', most: sequence - 1 }, request)
}

export const selectById = prepared((db, param: ParamOf<{ agent_id: number; id: string }>) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', param('id'))
    .where('agent_id', '=', param('agent_id')),
)

/** Searches the whole team, in which external ids are unique. The caller compares the agent. */
export const selectByExternalId = prepared((db, param: ParamOf<{ team_id: number; external_id: string }>) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('team_id', '=', param('team_id'))
    .where('external_id', '=', param('external_id')),
)

const selectCounter = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('agent_counters')
    .select(['conversations', 'last_conversation_id'])
    .where('agent_id', '=', param('agent_id'))
    .forNoKeyUpdate(),
)

/**
 * Reads an agent's counter, or creates it for the first conversation, and locks it: until the transaction ends, no
 * other transaction opens a conversation of the agent.
 */
export async function lockCounter(db: Db, agentId: number) {
  const [counter] = await selectCounter(db, { agent_id: agentId })
  if (counter) return counter
  await db
    .insertInto('agent_counters')
    .values({ agent_id: agentId, conversations: 0, last_conversation_id: '' })
    .onConflict((conflict) => conflict.column('agent_id').doNothing())
    .execute()
  const [begun] = await selectCounter(db, { agent_id: agentId })
  if (!begun) throw new Error('a new counter of conversations was not kept')
  return begun
}

export const advanceCounter = prepared(
  (db, param: ParamOf<{ agent_id: number; conversations: number; last_conversation_id: string }>) =>
    db
      .updateTable('agent_counters')
      .set({ conversations: param('conversations'), last_conversation_id: param('last_conversation_id') })
      .where('agent_id', '=', param('agent_id')),
)

/** Inserts a conversation, unless another agent of the team has just opened one with the same external id. */
export const insertConversation = preparedInsert<ConversationRow>(
  'conversations',
  [
    'id',
    'agent_id',
    'team_id',
    'sequence',
    'external_id',
    'user_id',
    'channel_id',
    'widget_id',
    'tags',
    'language',
    'started_at',
    'ended_at',
    'agent_paused',
    'agent_paused_at',
    'agent_resumed_at',
    'waiting_since',
    'waiting_reason',
    'assignee_id',
  ],
  (insert) => insert.onConflict((conflict) => conflict.columns(['team_id', 'external_id']).doNothing()),
)

const lockById = prepared((db, param: ParamOf<{ id: string }>) =>
  db.selectFrom('conversations').selectAll().where('id', '=', param('id')).forNoKeyUpdate(),
)

/** Reads a conversation and locks it until the transaction ends. */
export async function lockConversation(db: Db, id: string): Promise<ConversationRow> {
  const [conversation] = await lockById(db, { id })
  if (!conversation) throw new Error('a conversation that is to be locked does not exist')
  return conversation
}

const writeTags = prepared((db, param: ParamOf<{ id: string; tags: string }>) =>
  db
    .updateTable('conversations')
    .set({ tags: param('tags') })
    .where('id', '=', param('id')),
)

/** Writes the tags of a conversation that is locked and announces the change. */
export async function updateTags(
  db: Db,
  { id, agent_id, tags: before }: Pick<ConversationRow, 'id' | 'agent_id' | 'tags'>,
  tags: Record<string, unknown>,
): Promise<void> {
  await writeTags(db, { id, tags: JSON.stringify(tags) })
  await indexTags(db, { id, agent_id }, before, tags)
  changed(db, { type: 'conversation', agent_id, conversation_id: id, fields: ['tags'] })
}

/** Writes fields of a conversation and announces the change. */
export async function updateConversation(
  db: Db,
  id: string,
  values: Partial<
    Pick<
      ConversationRow,
      | 'user_id'
      | 'ended_at'
      | 'agent_paused'
      | 'agent_paused_at'
      | 'agent_resumed_at'
      | 'waiting_since'
      | 'waiting_reason'
      | 'assignee_id'
      | 'language'
    >
  >,
): Promise<ConversationRow> {
  const conversation = await db
    .updateTable('conversations')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  changed(db, {
    type: 'conversation',
    agent_id: conversation.agent_id,
    conversation_id: id,
    fields: Object.keys(values),
  })
  return conversation
}

/** Returns the values by which a conversation no longer waits for a person; empty if it does not wait. */
export function noLongerWaiting({ waiting_since }: Pick<ConversationRow, 'waiting_since'>) {
  return waiting_since === null ? {} : { waiting_since: null, waiting_reason: null }
}

/**
 * Gives a conversation's prompts without a user the user who is named now, so that they are redacted and listed as
 * theirs.
 */
export async function nameUserOfPrompts(db: Db, conversationId: string, user: UserKey): Promise<void> {
  await db
    .updateTable('completions')
    .set({ user_id: user })
    .where('conversation_id', '=', conversationId)
    .where('user_id', 'is', null)
    .execute()
}

export async function lastCompletionId(db: Db, conversationId: string): Promise<string | null> {
  const row = await db
    .selectFrom('completions')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

type MessageValues = Omit<MessageRow, 'id' | 'shown_as' | 'delivery' | 'delivery_reason' | 'round'>

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
}

export async function selectMessagesPage(
  db: Db,
  conversationId: string,
  request: MessagesRequest,
  leftOut: readonly MessageRow['role'][] = [],
): Promise<Page<MessageRow>> {
  const { order, after, settled } = request
  const all = db.selectFrom('messages').selectAll()
  const shown = leftOut.length > 0 ? all.where('role', 'not in', leftOut) : all
  // `id + 0` is not a bound of the index, because the next page has another limit.
  const query = settled == null ? shown : shown.where(sql<SqlBool>`id + 0 <= ${settled}`)
  const least = after === undefined ? undefined : after + 1
  return selectPage(
    db,
    { query, of: { conversation_id: conversationId }, key: ['id'], order, least },
    request,
  )
}
