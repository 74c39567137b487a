import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { ChannelRow, DeliveryStatus, MailboxItemRow, Tables } from '../storage/tables.ts'

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
  page: number,
  perPage: number,
): Promise<{ rows: ChannelRow[]; total: number }> {
  const ofAgent = db.selectFrom('channels').where('agent_id', '=', agentId)
  const { total } = await ofAgent
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await ofAgent
    .selectAll()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { rows, total: Number(total) }
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

function parkedItems(db: Db, channelId: number) {
  return (
    db
      .selectFrom('mailbox_items')
      .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
      .leftJoin('messages', 'messages.id', 'mailbox_items.message_id')
      .where('mailbox_items.channel_id', '=', channelId)
      // As the index has it.
      .where(sql<boolean>`mailbox_items.state = 'parked'`)
  )
}

const parkedColumns = [
  'mailbox_items.id',
  'mailbox_items.mailbox_id',
  'mailbox_items.kind',
  'mailbox_items.message_id',
  'mailbox_items.attempts',
  'mailbox_items.error',
  'mailbox_items.created_at',
  'mailbox_items.finished_at',
  'mailbox_items.completion_id',
  'mailboxes.conversation_id',
  'messages.completion_id as answered_id',
  'messages.delivery',
] as const

export async function selectParkedPage(
  db: Db,
  channelId: number,
  page: number,
  perPage: number,
): Promise<{ rows: ParkedItem[]; total: number }> {
  const { total } = await parkedItems(db, channelId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await parkedItems(db, channelId)
    .select(parkedColumns)
    .orderBy('mailbox_items.id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { rows, total: Number(total) }
}

export async function selectParkedItem(
  db: Db,
  channelId: number,
  id: number,
): Promise<ParkedItem | undefined> {
  return parkedItems(db, channelId)
    .select(parkedColumns)
    .where('mailbox_items.id', '=', id)
    .executeTakeFirst()
}
