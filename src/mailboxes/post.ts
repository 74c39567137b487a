import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { kindsOf } from '../platforms/platforms.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { HandOver } from './item-kinds.ts'
import { makeDue } from './items.ts'
import { insertOutbound, selectMailboxOfConversation } from './store.ts'
import { POSTED } from './topics.ts'

/**
 * Locks the mailbox of a conversation until the transaction ends. A transaction that writes a conversation and its
 * mailbox begins with this, as workers do: locks taken in one order cannot lead to a deadlock.
 */
export const lockMailboxOf = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('mailboxes')
    .select('id')
    .where('conversation_id', '=', param('conversation_id'))
    .forNoKeyUpdate(),
)

/**
 * Queues a stored message for the channel of its conversation, within the caller's transaction. In a widget's
 * conversation that goes on by mail, the message first waits in case the visitor sees it there.
 * @returns true if the conversation has a channel
 */
export async function postMessage(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  now: string,
): Promise<boolean> {
  const [mailbox] = await selectMailboxOfConversation(db, { conversation_id: conversationId })
  if (!mailbox) return false
  const due_at = timestamp(Date.parse(now) + (mailbox.unseen_ms ?? 0))
  await insertOutbound(db, {
    mailbox_id: mailbox.id,
    channel_id: mailbox.channel_id,
    kind: 'send',
    message_id: messageId,
    due_at,
    created_at: now,
  })
  await makeDue(db, { id: mailbox.id, due_at })
  return mailbox.unseen_ms === null
}

/** Queues stored messages for the channels of their conversations. @param messages a query for them */
export async function postMessages(
  db: Kysely<Tables>,
  messages: SelectQueryBuilder<Tables, 'messages', PostedMessage>,
): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .columns(['mailbox_id', 'channel_id', 'kind', 'message_id', 'state', 'due_at', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('mailboxes')
        .innerJoin(messages.as('posted'), 'posted.conversation_id', 'mailboxes.conversation_id')
        .select([
          'mailboxes.id',
          'mailboxes.channel_id',
          sql<string>`'send'`.as('kind'),
          'posted.id as message_id',
          sql<'waiting'>`'waiting'`.as('state'),
          'posted.created_at as due_at',
          'posted.created_at',
        ])
        // A message to everybody is not mailed to visitors who have only left an address.
        .where('mailboxes.unseen_ms', 'is', null),
    )
    .execute()
  wake(db, POSTED)
}

type PostedMessage = Pick<Selectable<Tables['messages']>, 'id' | 'conversation_id' | 'created_at'>

/** A query for conversations. */
type Conversations = SelectQueryBuilder<Tables, 'conversations', { id: string }>

/** Posts a hand-over to the mailboxes of an agent's conversations. Leaves out platforms without hand-overs. */
export async function postHandOversOf(
  db: Kysely<Tables>,
  agentId: number,
  conversations: Conversations,
  kind: HandOver,
  now: string,
): Promise<void> {
  await insertHandOvers(db, kind, now, conversations, (where) => where('mailboxes.agent_id', '=', agentId))
  wake(db, POSTED)
}

/** Posts a hand-over to the mailbox of one conversation, if the conversation is among `conversations`. */
export async function postHandOverOf(
  db: Kysely<Tables>,
  conversationId: string,
  conversations: Conversations,
  kind: HandOver,
  now: string,
): Promise<void> {
  const [mailbox] = await selectMailboxOfConversation(db, { conversation_id: conversationId })
  if (!mailbox) return
  await insertHandOvers(db, kind, now, conversations, (where) => where('mailboxes.id', '=', mailbox.id))
  await makeDue(db, { id: mailbox.id, due_at: now })
}

/** Platforms where people have an inbox of their own, to which a conversation can be handed over. */
const HANDING_OVER = kindsOf(({ handOver }) => handOver !== undefined)

async function insertHandOvers(
  db: Kysely<Tables>,
  kind: HandOver,
  now: string,
  conversations: Conversations,
  which: (where: ExpressionBuilder<Tables, 'mailboxes'>) => Expression<SqlBool>,
): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .columns(['mailbox_id', 'channel_id', 'kind', 'state', 'due_at', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('mailboxes')
        .where(which)
        .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
        .innerJoin(conversations.as('given'), 'given.id', 'mailboxes.conversation_id')
        .select([
          'mailboxes.id',
          'mailboxes.channel_id',
          sql<string>`cast(${kind} as text)`.as('kind'),
          sql<'waiting'>`'waiting'`.as('state'),
          sql<string>`cast(${now} as text)`.as('due_at'),
          sql<string>`cast(${now} as text)`.as('created_at'),
        ])
        .where('channels.kind', 'in', HANDING_OVER)
        .where('channels.active', '=', 1)
        .where('mailboxes.handed_over_at', kind === 'hand_over' ? 'is' : 'is not', null),
    )
    .execute()
}

/** True if an agent has channels. */
export async function hasChannels(db: Kysely<Tables>, agentId: number): Promise<boolean> {
  const row = await db
    .selectFrom('channels')
    .select('id')
    .where('agent_id', '=', agentId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Selects the mailbox of a conversation, to use in a query, if its channel is active.
 * @param conversationId a column of the outer query
 */
export function activeMailbox(conversationId: Expression<string>) {
  return expressionBuilder<Tables>()
    .selectFrom('mailboxes')
    .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select('mailboxes.id')
    .where('mailboxes.conversation_id', '=', conversationId)
    .where('channels.active', '=', 1)
}

/** Selects the same mailbox if the platform now also takes messages that are not replies. */
export function writableMailbox(conversationId: Expression<string>, now: string) {
  return activeMailbox(conversationId).where('mailboxes.writable_until', '>', now)
}
