import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { MailboxItemRow } from './tables.ts'
import { MAILBOXES } from './topics.ts'

type Db = Kysely<Tables>

/** Brings the time of a mailbox forward, and wakes who works it. */
export async function makeDue(db: Db, mailbox: { id: number; due_at: string }): Promise<void> {
  await bringForward(db, mailbox)
  wake(db, MAILBOXES)
}

const bringForward = prepared((db, param: ParamOf<{ id: number; due_at: string }>) =>
  db
    .updateTable('mailboxes')
    .set({ due_at: sql`case when due_at < ${param('due_at')} then due_at else ${param('due_at')} end` })
    .where('id', '=', param('id')),
)

/** Changes items; whoever works them holds the lease of their mailbox. */
export async function updateItems(
  db: Db,
  ids: number[],
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

/** What has come in and is not worked yet. */
export async function countWaitingInbound(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('mailbox_items')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where('source_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Forgets what was finished before a time: no platform sends anything again after that long. */
export async function deleteFinishedItems(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mailbox_items')
    .where('id', 'in', (select) =>
      select.selectFrom('mailbox_items').select('id').where('finished_at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
