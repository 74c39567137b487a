import type { Kysely } from 'kysely'
import type { Scope } from '../http/scope.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { isOfChat, parkedItems } from '../mailboxes/items.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import { deliveryReasons } from '../platforms/platform.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { namesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import { messageOf } from '../transcripts/messages/message-of.ts'
import type { DeliveryStatus } from '../transcripts/tables.ts'
import { REPLAYED } from '../work/retry.ts'

type Db = Kysely<Tables>

/** The codes of why an item was given up. Any other is the name of an error of the service. */
export const parkedCodes = [...deliveryReasons, 'model_failed', 'channel_inactive', REPLAYED.code] as const

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

function parkedMessages(db: Db) {
  const message = messageOf(db, 'message_id')
  return parkedItems(db).select([
    message.select('message.completion_id').as('answered_id'),
    message.select('message.delivery').as('delivery'),
  ])
}

export async function selectParkedPage(
  db: Db,
  channelId: number,
  scope: Scope | null,
  request: PageRequest,
): Promise<Page<ParkedItem>> {
  const filters = scopeFilter(scope, (scope) =>
    isOfChat((conversation) => namesOneInScope(scope, conversation)),
  )
  return selectPage(
    db,
    { query: parkedMessages(db), of: { channel_id: channelId }, key: ['id'], order: 'asc', filters },
    request,
  )
}

export async function selectParkedItem(
  db: Db,
  channelId: number,
  id: number,
): Promise<ParkedItem | undefined> {
  return parkedMessages(db).where('channel_id', '=', channelId).where('id', '=', id).executeTakeFirst()
}
