import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { MailboxRow } from './tables.ts'

/** The writer of a message, as its item holds it. */
interface Written {
  user?: { id: string }
  /** The id from which it came, when the person has several. */
  address?: string | undefined
}

/** Returns the id of the end user who wrote. For a person with several ids it is the one that names the chat. */
export function writerOf(
  { thread }: Pick<MailboxRow, 'thread'>,
  { user, address }: { user: { id: string }; address?: string | undefined },
): string {
  return user.id === address ? thread : user.id
}

/** Reads the parked messages of some people on some channels of an agent, each with the id of its writer. */
export async function parkedMessagesOf(
  db: Kysely<Tables>,
  agentId: number,
  channelIds: readonly number[],
  ids: readonly string[],
) {
  if (channelIds.length === 0 || ids.length === 0) return []
  // JSON holds an id in this form; the rows found are parsed to make sure.
  const needles = ids.map((id) =>
    JSON.stringify({ id })
      .slice(1, -1)
      .replace(/[\\%_]/g, '\\$&'),
  )
  const rows = await db
    .selectFrom('mailbox_items')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_items.mailbox_id')
    .select(['mailbox_items.id', 'mailbox_items.payload', 'mailboxes.thread', 'mailboxes.channel_id'])
    .where(sql<boolean>`mailbox_items.state = 'parked'`)
    .where('mailbox_items.channel_id', 'in', channelIds)
    .where('mailboxes.agent_id', '=', agentId)
    .where((where) =>
      where.or([
        where('mailboxes.thread', 'in', ids),
        ...needles.map((needle) => sql<boolean>`mailbox_items.payload like ${`%${needle}%`} escape '\\'`),
      ]),
    )
    .execute()
  return rows.flatMap((row) => {
    const { user, address } = JSON.parse(row.payload ?? '{}') as Written
    const writer = user && writerOf(row, { user, address })
    return writer !== undefined && ids.includes(writer) ? [{ ...row, writer }] : []
  })
}
