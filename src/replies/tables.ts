import type { Generated, Selectable } from 'kysely'

/** Answers that people have ready. */
export interface RepliesTable {
  id: Generated<number>
  agent_id: number
  shortcut: string
  /** The shortcut, folded: unique in the agent. */
  shortcut_key: string
  /** With variables such as `{user.name}`. */
  content: string
  /** JSON array of texts. */
  tags: string
  /** Shortcut, content and tags, folded: what a search looks through. */
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
