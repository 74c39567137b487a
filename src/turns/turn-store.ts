import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { WaitingReason } from '../transcripts/tables.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'

/** The id of the completion that an earlier request with the same key made. */
export interface Repeated {
  repeated: string
}

/** An end of a turn that was to be stored. */
export interface StoredEnd {
  /** The answer; null: the model failed, or nobody waits for one. */
  ended: EndedTurn | null
  /** False if the turn had ended before: it keeps that end, and nothing of this one is stored. */
  isStored: boolean
  /** The reason for which the turn makes its conversation wait for a person; null: it does not. */
  waitsFor: WaitingReason | null
}

/**
 * Stores the start and the end of a turn. A caller with rows of its own hands in a variant that stores them along, in
 * the same transaction, so that both are stored or neither.
 */
export interface TurnStore {
  /** Stores the prompt, within the transaction of `db`. @param write stores what the transcript keeps of it */
  start(db: Kysely<Tables>, write: () => Promise<StartedTurn | Repeated>): Promise<StartedTurn | Repeated>
  /** Waits until the files of a stored prompt are there, and returns the turn with them; absent: nothing is awaited. */
  ready?(turn: StartedTurn, signal: AbortSignal): Promise<StartedTurn>
  /** Stores the end, within the transaction of `db`. @param write reads the pause again and stores the answer */
  end(db: Kysely<Tables>, turn: StartedTurn, write: () => Promise<StoredEnd>): Promise<StoredEnd>
  /** Tells whether the pause message is sent in answer to a prompt, which may be for the second time. */
  announcesPause(db: Kysely<Tables>, turn: StartedTurn): Promise<boolean>
}

/** Stores what the transcript keeps, and nothing else. */
export const transcriptOnly: TurnStore = {
  start: (_db, write) => write(),
  end: (_db, _turn, write) => write(),
  announcesPause: async () => true,
}
