import type { AgentRows } from '../storage/erase-rows.ts'

/** The channels of an agent, with their mailboxes. */
export const mailboxRows: readonly AgentRows[] = [
  {
    table: 'mailbox_items',
    key: 'id',
    through: { column: 'mailbox_id', table: 'mailboxes', refersTo: 'id' },
  },
  {
    table: 'thread_aliases',
    key: 'channel_id',
    through: { column: 'channel_id', table: 'mailboxes', refersTo: 'channel_id' },
  },
  { table: 'continuations', key: 'mailbox_id' },
  { table: 'mailboxes', key: 'id' },
  { table: 'channels', key: 'id' },
]
