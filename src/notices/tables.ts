import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'

/** Something that concerns a person. It holds no text of end users, and only ids of what happened. */
export interface NoticesTable {
  id: Generated<number>
  agent_id: number
  operator_id: number
  kind: 'mention' | 'assigned' | 'waiting' | 'reply' | 'due' | 'failed'
  conversation_id: string | null
  /** The conversation, or what failed, such as `webhook 3`: a person has one unread notice of a kind about it. */
  about: string
  /** The id of the note that mentions the person, or of the message of the user; null for others. */
  source_id: number | null
  /** The person or program whose act it is, or the name of what failed. */
  name: string | null
  /** The number of times that it has happened since the person read of it last. */
  count: Generated<number>
  unread: Generated<Flag>
  /** 0: the person has chosen not to see it in the console. */
  on_page: Generated<Flag>
  /** The time at which it happened last. */
  at: string
  /** The time at which a mail told of it; null: none has. */
  mailed_at: ColumnType<string | null, string | null | undefined, string | null>
}

/** The columns of a row that waits to be mailed or pushed. */
interface MailColumns extends WorkColumns {
  /** The time since which it may have left; null: it has certainly not. */
  sending_since: string | null
}

/** A mail that is due when notices of an agent to a person have stayed unread. */
export interface NoticeMailsTable extends MailColumns {
  id: Generated<number>
  agent_id: number
  operator_id: number
  due_at: string
}

/** A notice for a browser. It waits until it is shown there, and again when it is to be taken back. */
export interface NoticePushesTable extends MailColumns {
  id: Generated<number>
  agent_id: number
  notice_id: number
  browser_id: number
  /** The time at which it was handed to the push service; null: it was not yet. */
  shown_at: string | null
  /** Null while it is shown. */
  due_at: string | null
}

/** The choices of a person, and when their next digest is due. */
export interface NoticeSettingsTable extends MailColumns {
  id: Generated<number>
  operator_id: number
  /** JSON object: the media of each kind. */
  choices: string
  after_minutes: number
  details: Flag
  /** The time of day of the digest; null: there is none. */
  digest_at: string | null
  time_zone: string
  /** The time up to which digests have covered what happened. */
  digested_until: ColumnType<string | null, string | null | undefined, string | null>
  due_at: ColumnType<string | null, string | null | undefined, string | null>
}

/** Something that has happened, whose recipients are still to be found. */
export interface NoticeCausesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  source: 'happening' | 'message' | 'budget' | 'webhook' | 'channel' | 'target'
  /** The id of the happening, message, webhook, channel or clock of a target; 0 for a budget. */
  source_id: number
  /** The name of what failed; the day or month of a budget. */
  name: string | null
  /** The time at which it happened. */
  at: string
  due_at: string
}

export type NoticeRow = Selectable<NoticesTable>
export type NoticePushRow = Selectable<NoticePushesTable>
export type NoticeMailRow = Selectable<NoticeMailsTable>
export type NoticeSettingsRow = Selectable<NoticeSettingsTable>
export type NoticeCauseRow = Selectable<NoticeCausesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    notices: NoticesTable
    notice_causes: NoticeCausesTable
    notice_mails: NoticeMailsTable
    notice_pushes: NoticePushesTable
    notice_settings: NoticeSettingsTable
  }
}
