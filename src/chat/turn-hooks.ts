import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'

/** What a caller of a turn stores in the turn's own transactions, so that it is there exactly when the turn is. */
export interface TurnHooks {
  /** First in the transaction that stores the prompt. */
  starting(db: Kysely<Tables>): Promise<void>
  /** In the transaction that stores the prompt. */
  started(db: Kysely<Tables>, turn: StartedTurn): Promise<void>
  /** First in a transaction that ends the turn, before the pause is read again. */
  ending(db: Kysely<Tables>): Promise<void>
  /** In the transaction that ends the turn; null: there is none, the model failed or was broken off. */
  ended(db: Kysely<Tables>, turn: StartedTurn, ended: EndedTurn | null): Promise<void>
  /** Whether a paused agent's message is said (again) in answer to a prompt. */
  announcesPause(db: Kysely<Tables>, turn: StartedTurn): Promise<boolean>
}

export const noHooks: TurnHooks = {
  starting: async () => {},
  started: async () => {},
  ending: async () => {},
  ended: async () => {},
  announcesPause: async () => true,
}
