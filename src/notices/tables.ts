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
}

/** Something that has happened, from which it is still to be found out whom it concerns. */
export interface NoticeCausesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  source: 'happening' | 'message' | 'budget' | 'webhook' | 'channel'
  /** The id of the happening, message, webhook or channel; 0 for a budget. */
  source_id: number
  /** The name of what failed; the day or month of a budget. */
  name: string | null
  /** The time at which it happened. */
  at: string
  due_at: string
  attempts: Generated<number>
  lease: ColumnType<number, number | undefined, number>
  leased_until: string | null
  holder: ColumnType<string | null, string | null | undefined, string | null>
}

export type NoticeRow = Selectable<NoticesTable>
export type NoticeCauseRow = Selectable<NoticeCausesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    notices: NoticesTable
    notice_causes: NoticeCausesTable
  }
}
