import type { Generated, Selectable } from 'kysely'
import type { Proof, UserKey } from './user-key.ts'

/** The time at which a device or a session was first seen. The ids are the caller's own. */
export interface VisitorsTable {
  agent_id: number
  id: string
  first_seen_at: string
}

export interface UsersTable {
  agent_id: number
  /** The key of `user-key.ts`: the id with its source. */
  id: UserKey
  first_seen_at: string
  /** The id as its source gave it; null: a version that knew no sources wrote the row. */
  given_id: Generated<string | null>
  /** The proof of who they were when they last wrote; null: as for `given_id`. */
  proof: Generated<Proof | null>
  /** Null: not known. */
  name: Generated<string | null>
  /** JSON object of texts, numbers and booleans; null: none. */
  attributes: Generated<string | null>
  /** The time at which a person blocked them; null: they are not blocked. */
  blocked_at: Generated<string | null>
  /** The row that holds the profile of the person who they are one of; null: this one. */
  person_id: Generated<UserKey | null>
  /** The end user into whom they were merged, who may have been merged since; null: they were not. */
  merged_into: Generated<UserKey | null>
  /** The time of the merge; null: there was none, or nobody can undo it any more. */
  merged_at: Generated<string | null>
  /** JSON of the fields of the profile that come from others of the person (`person.ts`); null: none. */
  adopted: Generated<string | null>
  /** Written for users of widgets by versions that knew no sources. */
  identity: Generated<'verified' | 'visitor' | null>
}

/**
 * Ids that a version without sources has stored since migration 0046. `triggers.ts` writes these rows, and `giveSources`
 * gives the ids their source.
 */
export interface UnsourcedUsersTable {
  agent_id: number
  id: UserKey
  /**
   * The time of the next look for the id; empty: at once. A second look finds rows that were still being stored at the
   * first one.
   */
  due_at: Generated<string>
}

/** The words in the names and attributes of end users. */
export interface UserWordsTable {
  agent_id: number
  word: string
  user_id: UserKey
}

export type UserRow = Selectable<UsersTable>

declare module '../storage/tables.ts' {
  interface Tables {
    users: UsersTable
    user_words: UserWordsTable
    unsourced_users: UnsourcedUsersTable
    devices: VisitorsTable
    sessions: VisitorsTable
  }
}
