import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow, ConversationRow } from '../tables.ts'
import type { Doer } from './happenings.ts'

/**
 * The functions to call when something shows that an agent had no good answer, each in the transaction of its cause.
 * The feature that learns from this stands above the record, so it hands them in.
 */
export interface Lessons {
  /** Somebody disliked the answer of a completion that is locked with its conversation, or took that back. */
  disliked(db: Kysely<Tables>, completion: CompletionRow, isDisliked: boolean): Promise<void>
  /** A person was asked for in a conversation that is locked, or answered in it. */
  handedOff(db: Kysely<Tables>, conversation: Pick<ConversationRow, 'id' | 'agent_id'>): Promise<void>
  /** A conversation ended. */
  ended(db: Kysely<Tables>, conversation: ConversationRow, now: string, by: Doer): Promise<void>
}
