import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { kindsOf } from '../platforms/platforms.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { makeDue } from './items.ts'
import { markDelivery } from './mark-delivery.ts'
import { insertOutbound, selectMailboxOfConversation } from './store.ts'
import { POSTED } from './topics.ts'

/** What goes out through a channel: a stored message, or that people (or the agent again) have the conversation. */
export type Outgoing = { kind: 'send'; messageId: number } | { kind: 'hand_over' } | { kind: 'hand_back' }

/**
 * Keeps the mailbox of a conversation from being written by others until the transaction ends. A transaction that
 * writes a conversation and its mailbox begins with this, as workers do: in one order nobody waits for ever.
 */
export const lockMailboxOf = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('mailboxes')
    .select('id')
    .where('conversation_id', '=', param('conversation_id'))
    .forNoKeyUpdate(),
)

/** Queues something for the channel of a conversation, within the caller's transaction; nothing when the conversation has none. */
export async function post(
  db: Kysely<Tables>,
  conversationId: string,
  outgoing: Outgoing,
  now: string,
): Promise<void> {
  const [mailbox] = await selectMailboxOfConversation(db, { conversation_id: conversationId })
  if (!mailbox) return
  await insertOutbound(db, {
    mailbox_id: mailbox.id,
    channel_id: mailbox.channel_id,
    kind: outgoing.kind,
    message_id: outgoing.kind === 'send' ? outgoing.messageId : null,
    created_at: now,
  })
  if (outgoing.kind === 'send') await markDelivery(db, outgoing.messageId, 'queued')
  await makeDue(db, { id: mailbox.id, due_at: now })
}

/** Queues the transition messages of this moment for the channels of their conversations. */
export async function postTransitions(db: Kysely<Tables>, agentId: number, now: string): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .columns(['mailbox_id', 'channel_id', 'kind', 'message_id', 'state', 'due_at', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('mailboxes')
        .innerJoin('messages', 'messages.conversation_id', 'mailboxes.conversation_id')
        .select([
          'mailboxes.id',
          'mailboxes.channel_id',
          sql<string>`'send'`.as('kind'),
          'messages.id as message_id',
          sql<'waiting'>`'waiting'`.as('state'),
          'messages.created_at as due_at',
          'messages.created_at',
        ])
        .where('mailboxes.agent_id', '=', agentId)
        .where('messages.role', '=', 'transition')
        .where('messages.completion_id', 'is', null)
        .where('messages.created_at', '=', now),
    )
    .execute()
  wake(db, POSTED)
}

/**
 * Gives every open conversation that the agent has to people where the platform can, or takes those back that were given away. People
 * who have taken one over keep it.
 */
export async function postHandOvers(
  db: Kysely<Tables>,
  agentId: number,
  kind: 'hand_over' | 'hand_back',
  now: string,
): Promise<void> {
  await insertHandOvers(db, kind, now, (where) =>
    where.and([where('mailboxes.agent_id', '=', agentId), where('conversations.agent_paused', '=', 0)]),
  )
  wake(db, POSTED)
}

/** The same for one conversation; nothing where the platform cannot, or people have it (or do not have it) already. */
export async function postHandOver(
  db: Kysely<Tables>,
  conversationId: string,
  kind: 'hand_over' | 'hand_back',
  now: string,
): Promise<void> {
  const [mailbox] = await selectMailboxOfConversation(db, { conversation_id: conversationId })
  if (!mailbox) return
  await insertHandOvers(db, kind, now, (where) => where('mailboxes.id', '=', mailbox.id))
  await makeDue(db, { id: mailbox.id, due_at: now })
}

/** Platforms where people have an inbox of their own, which a conversation can be given to. */
const HANDING_OVER = kindsOf(({ handOver }) => handOver !== undefined)

type Joined = ExpressionBuilder<Tables, 'mailboxes' | 'channels' | 'conversations'>

async function insertHandOvers(
  db: Kysely<Tables>,
  kind: 'hand_over' | 'hand_back',
  now: string,
  which: (where: Joined) => Expression<SqlBool>,
): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .columns(['mailbox_id', 'channel_id', 'kind', 'state', 'due_at', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('mailboxes')
        .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
        .innerJoin('conversations', 'conversations.id', 'mailboxes.conversation_id')
        .select([
          'mailboxes.id',
          'mailboxes.channel_id',
          sql<string>`cast(${kind} as text)`.as('kind'),
          sql<'waiting'>`'waiting'`.as('state'),
          sql<string>`cast(${now} as text)`.as('due_at'),
          sql<string>`cast(${now} as text)`.as('created_at'),
        ])
        .where(which)
        .where('channels.kind', 'in', HANDING_OVER)
        .where('channels.active', '=', 1)
        .where('conversations.ended_at', 'is', null)
        .where('mailboxes.handed_over_at', kind === 'hand_over' ? 'is' : 'is not', null),
    )
    .execute()
}

/** Whether an agent has channels: those without pay nothing for them. */
export async function hasChannels(db: Kysely<Tables>, agentId: number): Promise<boolean> {
  const row = await db
    .selectFrom('channels')
    .select('id')
    .where('agent_id', '=', agentId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
