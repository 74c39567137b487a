import { sql } from 'kysely'
import { addColumns, index, type Step } from '../migration.ts'

/** Messages record their kind and their delivery on the channel, and items can be found by message. */
export const steps: readonly Step[] = [
  addColumns('messages', { kind: 'text', delivery: 'text', delivery_reason: 'text' }),
  addColumns('mailbox_items', { reply_token: 'text' }),
  index('mailbox_items_message', (create) =>
    create.on('mailbox_items').column('message_id').where(sql.ref('message_id'), 'is not', null),
  ),
]
