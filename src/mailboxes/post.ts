import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { kindsOf } from '../platforms/platforms.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { makeDue } from './items.ts'
import { insertOutbound, selectMailboxOfConversation } from './store.ts'
import { POSTED } from './topics.ts'

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

/**
 * Queues a stored message for the channel of its conversation, within the caller's transaction.
 * @returns whether the conversation has a channel
 */
export async function postMessage(
  db: Kysely<Tables>,
  conversationId: string,
  messageId: number,
  now: string,
): Promise<boolean> {
  const [mailbox] = await selectMailboxOfConversation(db, { conversation_id: conversationId })
  if (!mailbox) return false
  await insertOutbound(db, {
    mailbox_id: mailbox.id,
    channel_id: mailbox.channel_id,
    kind: 'send',
    message_id: messageId,
    created_at: now,
  })
  await makeDue(db, { id: mailbox.id, due_at: now })
  return true
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
        ]),
    )
    .execute()
  wake(db, POSTED)
}

type PostedMessage = Pick<Selectable<Tables['messages']>, 'id' | 'conversation_id' | 'created_at'>

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

/** The mailbox of a conversation whose channel is active and takes messages unasked. */
export function writableMailbox(where: ExpressionBuilder<Tables, 'conversations'>, now: string) {
  return where
    .selectFrom('mailboxes')
    .innerJoin('channels', 'channels.id', 'mailboxes.channel_id')
    .select('mailboxes.id')
    .whereRef('mailboxes.conversation_id', '=', 'conversations.id')
    .where('channels.active', '=', 1)
    .where('mailboxes.writable_until', '>', now)
}
