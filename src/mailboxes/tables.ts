import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'
import type { ItemKind } from './item-kinds.ts'

/** An account on a messaging platform that an agent speaks through. */
export interface ChannelsTable {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** A PlatformKind of src/platforms. */
  kind: string
  name: string | null
  active: Generated<Flag>
  /** JSON: the platform's settings; secrets in it are sealed. */
  settings: string
  created_at: string
  updated_at: string
}

/** The work of one chat on a channel: incoming and outgoing items, in order. */
export interface MailboxesTable extends WorkColumns {
  id: Generated<number>
  channel_id: number
  agent_id: number
  /** The chat on the platform: a person, a group, a helpdesk conversation. */
  thread: string
  /** The address of answers, when it differs from the thread. */
  address: Generated<string | null>
  /** The conversation; null until the first message opens it. */
  conversation_id: string | null
  /** The time until which the platform accepts messages that are not replies. */
  writable_until: string
  /** The platform's token that makes the next answer free, for a short while. */
  reply_token: string | null
  reply_token_until: string | null
  /** The platform's ids of the messages that answers refer to, in the adapter's own form. */
  answers_to: Generated<string | null>
  /** Set while people on the platform have the conversation because Parley handed it over. */
  handed_over_at: string | null
  /** The time at which the person was last told that Parley cannot read their message. */
  unsupported_at: Generated<string | null>
  /**
   * Set for the chat in which a widget's conversation goes on: the time in milliseconds for which a message waits to be
   * seen in the widget before it is sent. Null: a chat of its own.
   */
  unseen_ms: Generated<number | null>
  /** The key of the end user of the widget's conversation, also once another address has taken its place. */
  user_id: Generated<string | null>
  /** The time from which there is something to do; null when there is nothing. */
  due_at: string | null
}

/** One of several ids of a person on a platform. All lead to the same chat. */
export interface ThreadAliasesTable {
  channel_id: number
  alias: string
  thread: string
}

export interface MailboxItemsTable {
  id: Generated<number>
  mailbox_id: number
  channel_id: number
  /**
   * The platform's id of an incoming message, or of an outgoing one that the platform sends back; null for an item that
   * sends.
   */
  source_id: string | null
  /** The platform's id by which it reports that a message was edited or deleted. */
  platform_message_id: Generated<string | null>
  kind: ItemKind
  /** JSON: the content of an incoming item until it is stored as a message; null from then on. */
  payload: string | null
  /**
   * The message that an incoming item became, or that an outgoing one sends. The text is read at the time of sending,
   * so that it goes out redacted.
   */
  message_id: number | null
  /** The completion of the prompt that the item became. */
  completion_id: string | null
  /** The key sent to the platform with every attempt, so that it recognizes repeats. */
  retry_key: string | null
  /** The reply token that it is sent with; null when it is not sent as a reply. */
  reply_token: Generated<string | null>
  /** The number of parts of the message that have been sent. */
  parts_sent: Generated<number>
  attempts: Generated<number>
  /** `sending`: a part may have been sent without Parley's knowledge. `parked`: it failed and may be replayed. */
  state: MailboxItemState
  due_at: string
  created_at: string
  finished_at: string | null
  /** The code of the last failure, never text. */
  error: string | null
}

/** The address to which a widget's answers are mailed that its visitor has not seen. */
export interface ContinuationsTable {
  /** The chat in which the conversation goes on. */
  mailbox_id: number
  agent_id: number
  conversation_id: string
  address: string
  /** `confirmed` once the address has answered. */
  state: 'unconfirmed' | 'confirmed' | 'stopped'
  stopped_by: 'unsubscribed' | 'bounced' | 'withdrawn' | null
  /** The time in milliseconds for which a message waits to be seen. */
  after_ms: number
  /** The visitor's language, for the text around the messages. */
  language: string | null
  /** The page with the chat, without query. */
  page_url: string | null
  /** The number of mails to the address while it had not answered; 0 once it has. */
  mails: Generated<number>
  left_at: string
  /** The time of the last mail or reply, or of leaving the address. */
  used_at: string
}

export type MailboxItemState = 'waiting' | 'sending' | 'done' | 'parked' | 'failed'
export type ChannelRow = Selectable<ChannelsTable>
export type MailboxRow = Selectable<MailboxesTable>
export type MailboxItemRow = Selectable<MailboxItemsTable>
export type ContinuationRow = Selectable<ContinuationsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    channels: ChannelsTable
    mailboxes: MailboxesTable
    thread_aliases: ThreadAliasesTable
    mailbox_items: MailboxItemsTable
    continuations: ContinuationsTable
  }
}
