import type { Kysely } from 'kysely'
import type { LockAssignee } from '../desk/assign.ts'
import type { Tables } from '../storage/tables.ts'
import type { HappeningActor } from '../transcripts/conversations/happenings.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import type { Priority } from '../transcripts/conversations/priority.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** A person's part in the actions that they carry out themselves. */
export interface Person {
  /** The name that end users see; null: a program acts. */
  displayName: string | null
  lessons: Lessons
  /** Puts the values of variables into a text; tells the variables that have none. */
  fill: (db: Kysely<Tables>, text: string) => Promise<{ content: string; unfilled: string[] }>
}

/** The place where an action is carried out, and who does it. */
export interface ActionContext {
  db: Kysely<Tables>
  conversation: Pick<ConversationRow, 'id' | 'agent_id' | 'team_id'>
  /** The completion that led to it; null: none did. */
  completionId: string | null
  actor: HappeningActor
  /** Null: a rule acts. */
  person: Person | null
  lockAssignee: LockAssignee
  nowMs: number
}

interface Given {
  operator_id: number | null
  group_id: number | null
}

/** The values that undoing an action needs: those before it, and those that it has set. */
export type Undo =
  | { type: 'tag'; tag: string }
  | { type: 'priority'; before: number; priority: Priority }
  | { type: 'assign'; before: Given; after: Given }
  | { type: 'snooze'; before: string | null; until: string }
  /** Older versions did not note `paused_at`. */
  | { type: 'pause_conversation'; paused_at?: string }
  | { type: 'end_conversation'; ended_at: string }
