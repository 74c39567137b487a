import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import { ACTIVITY_MOST } from '../lib/activity.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { selectEach } from '../storage/select-each.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { unparked } from '../work/work-columns.ts'
import type { ItemKind } from './item-kinds.ts'
import type { MailboxItemRow, MailboxRow } from './tables.ts'
import { MAILBOXES } from './topics.ts'

type Db = Kysely<Tables>

/**
 * Makes a mailbox due at a time, unless it is due earlier, and wakes the workers. A parked one has all its attempts
 * again.
 */
export async function makeDue(db: Db, mailbox: { id: number; due_at: string }): Promise<void> {
  await bringForward(db, mailbox)
  wake(db, MAILBOXES)
}

const bringForward = prepared((db, param: ParamOf<{ id: number; due_at: string }>) =>
  db
    .updateTable('mailboxes')
    .set({
      due_at: sql`case when due_at < ${param('due_at')} then due_at else ${param('due_at')} end`,
      ...unparked('mailboxes'),
    })
    .where('id', '=', param('id')),
)

/** Changes items. The caller holds the lease of their mailbox. */
export async function updateItems(
  db: Db,
  ids: readonly number[],
  values: Partial<
    Pick<
      MailboxItemRow,
      | 'state'
      | 'due_at'
      | 'payload'
      | 'completion_id'
      | 'retry_key'
      | 'reply_token'
      | 'message_id'
      | 'parts_sent'
      | 'finished_at'
      | 'error'
      | 'attempts'
    >
  >,
): Promise<void> {
  await db.updateTable('mailbox_items').set(values).where('id', 'in', ids).execute()
}

/**
 * Puts a parked item back into its mailbox, within a transaction. Returns false if it is parked no longer: another
 * process was earlier, or its text was redacted.
 */
export async function unpark(
  db: Db,
  item: Pick<MailboxItemRow, 'id' | 'mailbox_id'>,
  now: string,
  values: Partial<Pick<MailboxItemRow, 'attempts' | 'reply_token' | 'due_at'>> = {},
): Promise<boolean> {
  await makeDue(db, { id: item.mailbox_id, due_at: now })
  const { numUpdatedRows } = await db
    .updateTable('mailbox_items')
    .set({ ...values, state: 'waiting', finished_at: null, error: null })
    .where('id', '=', item.id)
    .where('state', '=', 'parked')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Tells whether all of some items are parked. */
export async function areAllParked(db: Db, ids: readonly number[]): Promise<boolean> {
  const { count } = await db
    .selectFrom('mailbox_items')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('id', 'in', ids)
    .where('state', '=', 'parked')
    .executeTakeFirstOrThrow()
  return Number(count) === ids.length
}

/** Counts the incoming items that wait to be worked. */
export async function countWaitingInbound(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('mailbox_items')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where('source_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Selects, to use in a query, the channels with messages that were parked since a time because their platform refused the
 * token.
 */
export function refusedSends(db: Pick<Db, 'selectFrom'>, since: string) {
  return db
    .selectFrom('mailbox_items')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
    .select(['mailboxes.channel_id as id', 'mailboxes.agent_id'])
    .where(sql<boolean>`mailbox_items.state = 'parked'`)
    .where('mailbox_items.error', '=', 'unauthorized')
    .where('mailbox_items.finished_at', '>', since)
}

/** Counts the incoming items that wait to be worked, of each team. */
export async function countWaitingByTeam(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ team: number; count: number }>`
    select owners.team, count(*) as count from mailbox_items as items
    inner join mailboxes on mailboxes.id = items.mailbox_id
    inner join ${byAgent.teams} as owners on owners.tenant = mailboxes.agent_id
    where items.state in ('waiting', 'sending') and items.source_id is not null group by owners.team`.execute(
    db,
  )
  return new Map(rows.map(({ team, count }) => [Number(team), Number(count)]))
}

/** Deletes some of the items that were finished before a time; returns the number of them. */
export async function deleteFinishedItems(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mailbox_items')
    .where('id', 'in', (select) =>
      select.selectFrom('mailbox_items').select('id').where('finished_at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Finds the item of an incoming message by the platform's id of the message. */
export async function selectMessageItem(
  db: Db,
  channelId: number,
  platformMessageId: string,
): Promise<Pick<MailboxItemRow, 'id' | 'payload' | 'message_id'> | undefined> {
  return db
    .selectFrom('mailbox_items')
    .select(['id', 'payload', 'message_id'])
    .where('channel_id', '=', channelId)
    .where('platform_message_id', '=', platformMessageId)
    .where('kind', '=', 'message')
    .executeTakeFirst()
}

/** Returns those of some messages, by the platform's ids, of which it was said that the person has taken them back. */
export async function selectWithdrawn(
  db: Db,
  channelId: number,
  platformMessageIds: readonly string[],
): Promise<(string | null)[]> {
  const found = await db
    .selectFrom('mailbox_items')
    .select('platform_message_id')
    .where('channel_id', '=', channelId)
    .where('platform_message_id', 'in', platformMessageIds)
    .where('kind', '=', 'withdrawn')
    .execute()
  return found.map(({ platform_message_id }) => platform_message_id)
}

const TAKEOVERS: ItemKind[] = ['takeover', 'handed_over']

/** Tells whether an item reports that people have taken the conversation over. */
export function isTakeover({ kind }: Pick<MailboxItemRow, 'kind'>): boolean {
  return TAKEOVERS.includes(kind)
}

/** Selects the items that wait in a mailbox and report that people have taken the conversation over. */
export const selectTakeovers = prepared((db, param: ParamOf<{ mailbox_id: number }>) =>
  db
    .selectFrom('mailbox_items')
    .selectAll()
    .where('mailbox_id', '=', param('mailbox_id'))
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where('kind', 'in', TAKEOVERS)
    .orderBy('id'),
)

/**
 * Stores the id under which the platform reports a message that Parley sent, so that the report is not taken for a
 * person's message. The report may have come already.
 */
export async function insertEcho(
  db: Db,
  mailbox: Pick<MailboxRow, 'id' | 'channel_id'>,
  echoId: string,
  messageId: number | null,
  now: string,
): Promise<void> {
  await db
    .insertInto('mailbox_items')
    .values({
      mailbox_id: mailbox.id,
      channel_id: mailbox.channel_id,
      source_id: echoId,
      kind: 'echo',
      message_id: messageId,
      state: 'done',
      due_at: now,
      created_at: now,
      finished_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'source_id'])
        .doUpdateSet({ state: 'done', payload: null, message_id: messageId, finished_at: now })
        .where('mailbox_items.state', '=', 'waiting'),
    )
    .execute()
}

/** The mailboxes of an agent, or the one of a conversation. */
export type MailboxesOf = Pick<MailboxRow, 'agent_id'> | { conversation_id: string }

/**
 * Removes answers that wait to be sent from mailboxes, in one statement. An answer stays while an attempt to send it is
 * under way, or may have succeeded.
 * @param isAnswer returns the condition that a message is an answer, given the column with its id
 * @returns the ids of their messages
 */
export async function dropWaitingSends(
  db: Db,
  of: MailboxesOf,
  isAnswer: (messageId: Expression<number | null>) => Expression<SqlBool>,
  now: string,
): Promise<number[]> {
  const mailboxes = db.selectFrom('mailboxes')
  const waiting = db
    .selectFrom('mailbox_items')
    .select('mailbox_items.id')
    // Written as in the partial index, so that it is used.
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where('kind', '=', 'send')
    .where('state', '=', 'waiting')
    .where(({ exists, ref }) =>
      'agent_id' in of
        ? // An agent has far more mailboxes than waiting items, so each item is checked for its agent.
          exists(
            mailboxes.select('id').where('id', '=', ref('mailbox_id')).where('agent_id', '=', of.agent_id),
          )
        : sql<boolean>`${ref('mailbox_id')} = ${mailboxes.select('id').where('conversation_id', '=', of.conversation_id)}`,
    )
    .where(({ ref }) => isAnswer(ref('message_id')))
    // The visitor of a widget may have seen them there.
    .where(({ exists, ref }) =>
      exists(mailboxes.select('id').where('id', '=', ref('mailbox_id')).where('unseen_ms', 'is', null)),
    )
    // Always in the same order, so that no two transactions wait for each other in a deadlock.
    .orderBy('mailbox_items.id')
    .forNoKeyUpdate()
  const dropped = await db
    .updateTable('mailbox_items')
    .set({ state: 'failed', error: 'taken_over', finished_at: now })
    .where('id', 'in', waiting)
    .returning('message_id')
    .execute()
  return dropped.flatMap(({ message_id }) => message_id ?? [])
}

const startOpen = prepared((db, param: ParamOf<{ id: number; retry_key: string }>) =>
  db
    .updateTable('mailbox_items')
    .set({ state: 'sending', retry_key: param('retry_key') })
    .where('id', '=', param('id'))
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .returning('id'),
)

/**
 * Stores that an attempt to send an item begins.
 * @returns false if the item no longer waits: its message was held back since it was read
 */
export async function startSending(db: Db, id: number, retryKey: string): Promise<boolean> {
  return (await startOpen(db, { id, retry_key: retryKey })).length > 0
}

/**
 * Stores that an attempt to send items together begins.
 * @returns false if one of them no longer waits: none of them begins then
 */
export async function startSendingAll(db: Db, ids: readonly number[], retryKey: string): Promise<boolean> {
  const items = db.selectFrom('mailbox_items').select('id').where('id', 'in', ids)
  const open = await items
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (open.length < ids.length) return false
  await updateItems(db, ids, { state: 'sending', retry_key: retryKey })
  return true
}

/** Finds the id of the sent message that the platform knows by an id; null when there is none. */
export async function selectSentMessage(db: Db, channelId: number, echoId: string): Promise<number | null> {
  const echo = await db
    .selectFrom('mailbox_items')
    .select('message_id')
    .where('channel_id', '=', channelId)
    .where('source_id', '=', echoId)
    .executeTakeFirst()
  return echo?.message_id ?? null
}

/** Parks the item that sent a message, so that the message can be sent again. */
export async function parkSent(db: Db, messageId: number, reason: string, now: string): Promise<void> {
  await db
    .updateTable('mailbox_items')
    .set({ state: 'parked', error: reason, parts_sent: 0, retry_key: null, finished_at: now })
    .where('message_id', '=', messageId)
    .where('kind', '=', 'send')
    .where('state', '=', 'done')
    .execute()
}

/** Finds the parked item that should send a message. */
export async function selectParkedSend(
  db: Db,
  messageId: number,
): Promise<Pick<MailboxItemRow, 'id' | 'mailbox_id' | 'channel_id'> | undefined> {
  return db
    .selectFrom('mailbox_items')
    .select(['id', 'mailbox_id', 'channel_id'])
    .where('message_id', '=', messageId)
    .where('kind', '=', 'send')
    .where('state', '=', 'parked')
    .executeTakeFirst()
}

/**
 * Counts the parked items of each of some channels, up to the limit of counts in lists.
 * @returns also when the newest was parked, if the platform refused the access token
 */
export function countParked(
  db: Db,
  channelIds: readonly number[],
): Promise<Map<number, { parked: number; refused_at: string | null }>> {
  return selectEach(
    db,
    channelIds,
    (id) => sql`(select cast(count(*) as integer) from (
      select 1 from mailbox_items where channel_id = ${id} and state = 'parked'
      limit ${sql.lit(ACTIVITY_MOST)}) as counted) as parked,
      (select case when error = 'unauthorized' then finished_at end
        from mailbox_items where channel_id = ${id} and state = 'parked'
        order by id desc limit 1) as refused_at`,
  )
}

/** Returns SQL for whether the conversation of an item's chat meets a condition. @param holds gets its column */
export function isOfChat(holds: (conversation: string) => RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from mailboxes
    where mailboxes.id = mailbox_items.mailbox_id and ${holds('mailboxes.conversation_id')})`
}

/** Selects parked items, each with the conversation of its mailbox. */
export function parkedItems(db: Db) {
  return (
    db
      .selectFrom('mailbox_items')
      .select(['id', 'mailbox_id', 'kind', 'message_id', 'attempts', 'error'])
      .select(['created_at', 'finished_at', 'completion_id'])
      .select(({ selectFrom }) =>
        selectFrom('mailboxes')
          .whereRef('mailboxes.id', '=', 'mailbox_items.mailbox_id')
          .select('mailboxes.conversation_id')
          .as('conversation_id'),
      )
      // Written as in the partial index, so that it is used.
      .where(sql<boolean>`state = 'parked'`)
  )
}
