import { setImmediate as letOthers } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { changed } from '../../events/changes.ts'
import { QUEUES } from '../../groups/queues-topic.ts'
import type { Scope } from '../../http/scope.ts'
import type { Page, PageRequest } from '../../lib/page.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import { selectMergedPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { ConversationRow } from '../tables.ts'
import { type Assignment, inScope, scopeFilter } from './in-scope.ts'
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

/** The number of conversations that one statement looks at for a scope, so that other requests are served in between. */
const SCOPE_SLICE = 20_000

/**
 * Reads a page of the agent's conversations within a scope, newest first, with the number of all.
 * @param place `size` of them are read, without the newest `skip`, of the oldest `snapshot`
 */
export async function selectPageOfScope(
  db: Db,
  agentId: number,
  scope: Scope,
  { skip, size, snapshot }: { skip: number; size: number; snapshot: number },
): Promise<{ rows: ListedConversation[]; total: number }> {
  const [counter] = await countConversations(db, { agent_id: agentId })
  const numbers: number[] = []
  for (let until = counter?.conversations ?? 0; until > 0; until -= SCOPE_SLICE) {
    const slice = await db
      .selectFrom('conversations')
      .select('sequence')
      .where('agent_id', '=', agentId)
      .where('sequence', '<=', until)
      .where('sequence', '>', until - SCOPE_SLICE)
      .where(inScope(scope, 'conversations'))
      .orderBy('sequence', 'desc')
      .execute()
    numbers.push(...slice.map(({ sequence }) => sequence))
    await letOthers()
  }
  const total = Math.min(snapshot, numbers.length)
  const first = numbers.length - total + skip
  const wanted = numbers.slice(first, first + size)
  const rows = await db
    .selectFrom('conversations')
    .select(conversationColumns)
    .where('agent_id', '=', agentId)
    .where('sequence', 'in', [0, ...wanted])
    .orderBy('sequence', 'desc')
    .execute()
  return { rows, total }
}

/**
 * Reads a page of the conversations within a scope that a person had before a given one, newest first.
 * @param keys empty: nobody
 */
export async function selectEarlierPage(
  db: Db,
  { agent_id, sequence }: Pick<ConversationRow, 'agent_id' | 'sequence'>,
  keys: readonly UserKey[],
  scope: Scope | null,
  request: PageRequest,
): Promise<Page<ListedConversation & Pick<ConversationRow, 'sequence'>>> {
  const query = db
    .selectFrom('conversations')
    .select([...conversationColumns, 'sequence'])
    .where('user_id', 'is not', null)
  const listOf = (user_id: string) => ({
    query,
    of: { agent_id, user_id },
    key: ['sequence'] as const,
    order: 'desc' as const,
    most: sequence - 1,
    filters: scopeFilter(scope, (scope) => inScope(scope, 'conversations')),
  })
  const [first = '', ...others] = keys
  return selectMergedPage(db, [listOf(first), ...others.map(listOf)], request)
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

/** Finds the conversation of a chat that goes by another external id. The caller compares the agent. */
export const selectByChat = prepared((db, param: ParamOf<{ team_id: number; chat: string }>) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('team_id', '=', param('team_id'))
    .where('chat', '=', param('chat')),
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
    'chat',
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
    'group_id',
  ],
  (insert) => insert.onConflict((conflict) => conflict.columns(['team_id', 'external_id']).doNothing()),
)

/** Reads and locks a conversation that may no longer exist. */
export const lockById = prepared((db, param: ParamOf<{ id: string }>) =>
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
  announceFields(db, { id, agent_id }, ['tags'])
}

/** The fields whose change may let a conversation that waits in a group be given to somebody. */
const QUEUE_FIELDS = [
  'ended_at',
  'agent_paused',
  'waiting_since',
  'assignee_id',
  'group_id',
  'snoozed_until',
] as const

/**
 * Announces that fields of a conversation were written, also to the queues of groups if they depend on one.
 * @param from the person and the group that had it, when it was given to others
 */
export function announceFields(
  db: Db,
  { id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  fields: string[],
  from?: Assignment,
): void {
  const given = from && { from: { assignee_id: from.assignee_id, group_id: from.group_id } }
  changed(db, { type: 'conversation', agent_id, conversation_id: id, fields, ...given })
  if (QUEUE_FIELDS.some((field) => fields.includes(field))) wake(db, QUEUES, 'here')
}

/** The fields of a conversation that move no clock of a target. */
export type PlainValues = Partial<
  Pick<
    ConversationRow,
    | 'user_id'
    | 'agent_paused_at'
    | 'agent_resumed_at'
    | 'language'
    | 'priority'
    | 'due_at'
    | 'outcome'
    | 'outcome_by'
  >
>

/** The fields with which the clocks of targets run, stand and end. */
export type MovingValues = Partial<
  Pick<
    ConversationRow,
    | 'ended_at'
    | 'agent_paused'
    | 'waiting_since'
    | 'waiting_reason'
    | 'snoozed_until'
    | 'assignee_id'
    | 'group_id'
  >
>

/** Writes fields of a conversation that move no clock, and announces the change. */
export async function updateConversation(db: Db, id: string, values: PlainValues): Promise<ConversationRow> {
  return writeConversation(db, id, values)
}

/**
 * Writes fields of a conversation and announces the change. Call `moveConversation`, which also moves the clocks.
 * @param from the person and the group that had it, when it is given to others
 */
export async function writeConversation(
  db: Db,
  id: string,
  values: PlainValues & MovingValues,
  from?: Assignment,
): Promise<ConversationRow> {
  const conversation = await db
    .updateTable('conversations')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  announceFields(db, conversation, Object.keys(values), from)
  return conversation
}

/** Returns the values by which a conversation no longer waits for a person; empty if it does not wait. */
export function noLongerWaiting({ waiting_since }: Pick<ConversationRow, 'waiting_since'>) {
  return waiting_since === null ? {} : { waiting_since: null, waiting_reason: null }
}

/** Returns the values by which a conversation is not put aside; empty if it is not. */
export function noLongerSnoozed({ snoozed_until }: Pick<ConversationRow, 'snoozed_until'>) {
  return snoozed_until === null ? {} : { snoozed_until: null }
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
