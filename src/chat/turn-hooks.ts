import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'

/** What a caller stores in the transactions of a turn, so that both are stored or neither. */
export interface TurnHooks {
  /** Begins the transaction that stores the prompt. */
  starting(db: Kysely<Tables>): Promise<void>
  /** In the transaction that stores the prompt. */
  started(db: Kysely<Tables>, turn: StartedTurn): Promise<void>
  /** Begins the transaction that ends the turn, before the pause is read again. */
  ending(db: Kysely<Tables>): Promise<void>
  /** In the transaction that ends the turn. @param ended null: the model failed or was broken off */
  ended(db: Kysely<Tables>, turn: StartedTurn, ended: EndedTurn | null): Promise<void>
  /** Whether the pause message is sent in answer to a prompt, which may be for the second time. */
  announcesPause(db: Kysely<Tables>, turn: StartedTurn): Promise<boolean>
}

export const noHooks: TurnHooks = {
  starting: async () => {},
  started: async () => {},
  ending: async () => {},
  ended: async () => {},
  announcesPause: async () => true,
}
