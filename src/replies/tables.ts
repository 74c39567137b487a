import type { Generated, Selectable } from 'kysely'

/** Canned replies: answers that people keep ready. */
export interface RepliesTable {
  id: Generated<number>
  agent_id: number
  shortcut: string
  /** The folded shortcut, unique within the agent. */
  shortcut_key: string
  /** The text, which may contain variables such as `{user.name}`. */
  content: string
  /** JSON array of texts. */
  tags: string
  /** Shortcut, content and tags, folded, for searches. */
  searched: string
  created_at: string
  updated_at: string
}

export type ReplyRow = Selectable<RepliesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    replies: RepliesTable
  }
}
