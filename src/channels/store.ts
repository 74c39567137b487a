import { type Kysely, sql } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { messageOf } from '../transcripts/messages/message-of.ts'
import type { DeliveryStatus } from '../transcripts/tables.ts'
import type { ChannelRow } from './tables.ts'

type Db = Kysely<Tables>

export const selectChannel = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('channels').selectAll().where('id', '=', param('id')),
)

export async function selectAllChannels(db: Db): Promise<ChannelRow[]> {
  return db.selectFrom('channels').selectAll().execute()
}

export async function selectChannelsPage(
  db: Db,
  agentId: number,
  request: PageRequest,
): Promise<Page<ChannelRow>> {
  const query = db.selectFrom('channels').selectAll()
  return selectPage(db, { query, of: { agent_id: agentId }, key: ['id'], order: 'desc' }, request)
}

export async function insertChannel(
  db: Db,
  row: Pick<ChannelRow, 'agent_id' | 'team_id' | 'kind' | 'name' | 'active' | 'created_at'>,
): Promise<number> {
  const { id } = await db
    .insertInto('channels')
    .values({ ...row, settings: '{}', updated_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reads a channel of an agent and keeps others from changing it until the transaction ends. */
export async function lockChannel(db: Db, agentId: number, id: number): Promise<ChannelRow | undefined> {
  return db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateChannel(
  db: Db,
  id: number,
  values: Partial<Pick<ChannelRow, 'name' | 'active' | 'settings' | 'updated_at'>>,
): Promise<ChannelRow> {
  return db.updateTable('channels').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteChannel(db: Db, agentId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('channels')
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type ParkedItem = Pick<
  MailboxItemRow,
  | 'id'
  | 'mailbox_id'
  | 'kind'
  | 'message_id'
  | 'attempts'
  | 'error'
  | 'created_at'
  | 'finished_at'
  | 'completion_id'
> & { conversation_id: string | null; answered_id: string | null; delivery: DeliveryStatus | null }

function parkedItems(db: Db) {
  return (
    db
      .selectFrom('mailbox_items')
      .select(['id', 'mailbox_id', 'kind', 'message_id', 'attempts', 'error'])
      .select(['created_at', 'finished_at', 'completion_id'])
      .select(({ selectFrom }) => {
        const mailbox = selectFrom('mailboxes').whereRef('mailboxes.id', '=', 'mailbox_items.mailbox_id')
        const message = messageOf(db, 'mailbox_items.message_id')
        return [
          mailbox.select('mailboxes.conversation_id').as('conversation_id'),
          message.select('messages.completion_id').as('answered_id'),
          message.select('messages.delivery').as('delivery'),
        ]
      })
      // As the index has it.
      .where(sql<boolean>`state = 'parked'`)
  )
}

export async function selectParkedPage(
  db: Db,
  channelId: number,
  request: PageRequest,
): Promise<Page<ParkedItem>> {
  return selectPage(
    db,
    { query: parkedItems(db), of: { channel_id: channelId }, key: ['id'], order: 'asc' },
    request,
  )
}

export async function selectParkedItem(
  db: Db,
  channelId: number,
  id: number,
): Promise<ParkedItem | undefined> {
  return parkedItems(db).where('channel_id', '=', channelId).where('id', '=', id).executeTakeFirst()
}
