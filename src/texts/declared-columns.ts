import type { Selectable } from 'kysely'
import type { TextKindName } from '../redaction/text-kinds.ts'
import type { Tables } from '../storage/tables.ts'
import type { UserKey } from '../users/user-key.ts'

/** The reasons for which a column of texts may stay: no such column holds what somebody said. */
type KeptText =
  /** An id that the service, a caller or a platform gave, or an address to which a platform sends. */
  | 'id'
  /** A word of the service or of a standard. */
  | 'code'
  | 'time'
  /** A keyed hash, or something sealed. */
  | 'hash'
  /** The team's own: a name that it gave, or one of its people. */
  | 'own'
  /** JSON of only ids, codes, numbers and the team's own names. */
  | 'facts'
  /** Names and values by which callers classify things. */
  | 'tags'
  /** Words of texts and profiles, which are deleted with these. */
  | 'index'

/** The columns of a table that may hold any text, keys of end users included. */
type AnyText<Row> = {
  [Column in keyof Row]: UserKey extends NonNullable<Row[Column]> ? Column : never
}[keyof Row]

/**
 * The treatment of each column of a row by redaction. A column that may hold any text says why it stays; if it may not
 * stay, its text is replaced as its kind says, or it is emptied.
 */
type Declared<Row> = {
  [Column in keyof Row]: Column extends AnyText<Row> ? KeptText | TextKindName | 'forgotten' : 'kept'
}

/**
 * The treatment of a whole table. It may be `kept` if no column of it holds any text, and the team's own if it tells of
 * no conversation.
 */
type DeclaredWhole<Row> =
  | ([AnyText<Row>] extends [never] ? 'kept' : never)
  | 'index'
  | (Extract<keyof Row, 'conversation_id' | 'completion_id' | 'message_id' | 'user_id'> extends never
      ? 'own'
      : never)

/** The treatment of the columns of every table. */
export type DeclaredTables = {
  [Table in keyof Tables]: Declared<Selectable<Tables[Table]>> | DeclaredWhole<Selectable<Tables[Table]>>
}

/** The columns of a table that is a queue. */
export const queued = {
  attempts: 'kept',
  due_at: 'time',
  waits: 'kept',
  deaths: 'kept',
  parked_at: 'time',
  failure: 'code',
  lease: 'kept',
  leased_until: 'time',
  holder: 'id',
} as const
