import { type Kysely, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import { queueOf } from '../work/queue.ts'
import { REPLAYED } from '../work/retry.ts'
import { unparked } from '../work/work-columns.ts'
import type { MailboxItemRow, MailboxRow } from './tables.ts'

type Db = Kysely<Tables>

export type MailboxTouch = Pick<MailboxRow, 'channel_id' | 'agent_id' | 'thread' | 'writable_until'> & {
  due_at: string
}

/**
 * Creates the mailboxes of threads, or makes existing ones due earlier. Locks all of them until the transaction ends,
 * also those that it does not change.
 */
export const touchMailboxes = preparedInsert<MailboxTouch>(
  'mailboxes',
  ['channel_id', 'agent_id', 'thread', 'writable_until', 'due_at'],
  (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'thread'])
        .doUpdateSet({
          writable_until: sql`case when excluded.writable_until > mailboxes.writable_until
            then excluded.writable_until else mailboxes.writable_until end`,
          due_at: sql`case when mailboxes.due_at < excluded.due_at then mailboxes.due_at else excluded.due_at end`,
          ...unparked('mailboxes'),
        })
        .where(
          sql<boolean>`excluded.writable_until > mailboxes.writable_until
            or mailboxes.due_at is null or excluded.due_at < mailboxes.due_at`,
        ),
    ),
)

export type InboundItem = Pick<
  MailboxItemRow,
  'channel_id' | 'source_id' | 'platform_message_id' | 'kind' | 'payload' | 'due_at' | 'created_at'
> & { thread: string }

/** Stores incoming items for existing mailboxes. An item that was already stored stays as it is. */
export const insertInbound = preparedInsert<InboundItem>(
  'mailbox_items',
  ['channel_id', 'thread', 'source_id', 'platform_message_id', 'kind', 'payload', 'due_at', 'created_at'],
  (insert) => insert.onConflict((conflict) => conflict.columns(['channel_id', 'source_id']).doNothing()),
  ({ thread, ...item }) => ({
    ...item,
    mailbox_id: sql`(select id from mailboxes
      where mailboxes.channel_id = ${item.channel_id} and mailboxes.thread = ${thread})`,
    state: 'waiting',
  }),
)

export const selectMailboxOfConversation = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db.selectFrom('mailboxes').selectAll().where('conversation_id', '=', param('conversation_id')),
)

export const selectMailboxOfThread = prepared((db, param: ParamOf<{ channel_id: number; thread: string }>) =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('channel_id', '=', param('channel_id'))
    .where('thread', '=', param('thread')),
)

type OutboundItem = Pick<
  MailboxItemRow,
  'mailbox_id' | 'channel_id' | 'kind' | 'message_id' | 'due_at' | 'created_at'
>

export const insertOutbound = prepared((db, param: ParamOf<OutboundItem>) =>
  db.insertInto('mailbox_items').values({
    mailbox_id: param('mailbox_id'),
    channel_id: param('channel_id'),
    kind: param('kind'),
    message_id: param('message_id'),
    state: 'waiting',
    due_at: param('due_at'),
    created_at: param('created_at'),
  }),
)

export const mailboxQueue = queueOf('mailboxes', byAgent)

/** Selects a page of the ids of mailboxes in which an item is due. */
export const selectMailboxesWithDueItems = prepared(
  (db, param: ParamOf<{ after: number; now: string; limit: number }>) =>
    db
      .selectFrom('mailbox_items')
      .select('mailbox_id')
      .distinct()
      .where(isOpen)
      .where('mailbox_id', '>', param('after'))
      .where('due_at', '<=', param('now'))
      .orderBy('mailbox_id')
      .limit(param('limit')),
)

/**
 * Makes some mailboxes due now; returns the number that were not. Leaves out those that another transaction has locked.
 */
export async function wakeMailboxes(db: Db, ids: number[], now: string): Promise<number> {
  const asleep = db
    .selectFrom('mailboxes')
    .select('id')
    .where('id', 'in', ids)
    .where((where) => where.or([where('due_at', 'is', null), where('due_at', '>', now)]))
    .forNoKeyUpdate()
    .skipLocked()
  const { numUpdatedRows } = await db
    .updateTable('mailboxes')
    .set({ due_at: now })
    .where('id', 'in', asleep)
    // A failure may have put the item off since it was looked at.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('mailbox_items')
          .select('mailbox_items.id')
          .whereRef('mailbox_id', '=', 'mailboxes.id')
          .where(isOpen)
          .where('mailbox_items.due_at', '<=', now),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Selects those of some mailboxes that are not due, or that a worker holds and may be about to free. */
export async function selectUnwoken(db: Db, ids: number[], now: string): Promise<number[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('id', 'in', ids)
    .where((where) =>
      where.or([
        where('due_at', 'is', null),
        where('due_at', '>', now),
        where('leased_until', 'is not', null),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a mailbox until the transaction ends. */
export const lockMailbox = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('mailboxes').select('id').where('id', '=', param('id')).forNoKeyUpdate(),
)

/**
 * Makes a mailbox due when the first of its open items is. Items up to `seen` count as due at `earliest` or later. This
 * must follow the statement that locks the row, so that it sees items accepted meanwhile.
 */
export const setDue = prepared((db, param: ParamOf<{ id: number; earliest: string; seen: number }>) =>
  db
    .updateTable('mailboxes')
    .set((row) => ({
      due_at: row
        .selectFrom('mailbox_items')
        .select(
          sql<string | null>`min(case when id <= ${param('seen')} and due_at < ${param('earliest')}
            then ${param('earliest')} else due_at end)`.as('due_at'),
        )
        .where('mailbox_id', '=', param('id'))
        .where(isOpen),
    }))
    .where('id', '=', param('id'))
    .returning('due_at'),
)

/** Written as in the partial index, so that it is used. */
const isOpen = sql<boolean>`state in ('waiting', 'sending')`

export const selectOpenItems = prepared((db, param: ParamOf<{ mailbox_id: number; limit: number }>) =>
  db
    .selectFrom('mailbox_items')
    .selectAll()
    .where('mailbox_id', '=', param('mailbox_id'))
    .where(isOpen)
    .orderBy('id')
    .limit(param('limit')),
)

/** Counts the parked items. Their mailboxes go on. @param agentId null for all agents */
export async function countParkedItems(db: Db, agentId: number | null): Promise<number> {
  let parked = db
    .selectFrom('mailbox_items')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where(sql<boolean>`mailbox_items.state = 'parked'`)
  if (agentId !== null)
    parked = parked
      .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
      .where('mailboxes.agent_id', '=', agentId)
  const { count } = await parked.executeTakeFirstOrThrow()
  return Number(count)
}

/** Selects incoming items that were parked because processes ended with them, and that are to be tried once more. */
export const selectCrashed = prepared((db, param: ParamOf<{ now: string; limit: number }>) =>
  db
    .selectFrom('mailbox_items')
    .selectAll()
    .where(sql<boolean>`state = 'parked'`)
    .where('error', '=', REPLAYED.code)
    .where('source_id', 'is not', null)
    .where('attempts', '<', REPLAYED.attemptsBelow)
    .where('due_at', '<=', param('now'))
    // The index of parked items has this order. In the order of ids, SQLite would read all items.
    .orderBy('channel_id')
    .orderBy('id')
    .limit(param('limit')),
)
