import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { isChatOfPerson } from './channels-of-person.ts'
import { parkedMessagesOf } from './parked-messages-of.ts'
import type { MailboxItemRow } from './tables.ts'

/**
 * The parked items to give up: those from before a time, those of a person on a channel, or those of a widget's visitor,
 * whose conversations may go on by mail.
 */
export type ParkedScope =
  | {
      channelId: number
      /** The person's id on the platform. */
      personId: string
      /** A condition that is true for the person's conversations. */
      isTheirs: (conversationId: Expression<string | null>) => Expression<SqlBool>
    }
  | { before: string }
  | { visitor: string }

/**
 * Gives up parked incoming items, and erases their text, which is stored nowhere else.
 * @param emptied the values that overwrite the columns with text
 */
export async function dropParked(
  db: Kysely<Tables>,
  agentId: number,
  scope: ParkedScope,
  emptied: Partial<MailboxItemRow>,
  now: string,
): Promise<number> {
  const dropping = db
    .updateTable('mailbox_items')
    .set({ ...emptied, state: 'failed', error: 'redacted', finished_at: now })
    .where(sql<boolean>`state = 'parked'`)
    .where('payload', 'is not', null)
  if ('before' in scope) {
    const { numUpdatedRows } = await dropping
      .where('created_at', '<', scope.before)
      .where('mailbox_id', 'in', (select) =>
        select.selectFrom('mailboxes').select('id').where('agent_id', '=', agentId),
      )
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }
  if ('visitor' in scope) {
    const { numUpdatedRows } = await dropping
      .where('mailbox_id', 'in', (select) =>
        select
          .selectFrom('mailboxes')
          .select('id')
          .where('agent_id', '=', agentId)
          .where('user_id', '=', scope.visitor),
      )
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }
  const { channelId, personId, isTheirs } = scope
  const ids = (await parkedMessagesOf(db, agentId, [channelId], [personId])).map(({ id }) => id)
  const channel = await db
    .selectFrom('channels')
    .select('kind')
    .where('id', '=', channelId)
    .executeTakeFirst()
  const { numUpdatedRows } = await dropping
    .where((where) =>
      where.or([
        ...(ids.length > 0 ? [where('id', 'in', ids)] : []),
        where('mailbox_id', 'in', (select) =>
          select
            .selectFrom('mailboxes')
            .select('mailboxes.id')
            .where('agent_id', '=', agentId)
            .where('channel_id', '=', channelId)
            .where((where) =>
              where.or([
                isTheirs(where.ref('mailboxes.conversation_id')),
                ...(isChatOfPerson(channel?.kind ?? null) ? [where('thread', '=', personId)] : []),
              ]),
            ),
        ),
      ]),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
