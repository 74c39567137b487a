import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'

/** Lets a caller store its own rows in the transactions of a turn, so that both are stored or neither. */
export interface TurnHooks {
  /** Runs first in the transaction that stores the prompt. */
  starting(db: Kysely<Tables>): Promise<void>
  /** Runs last in the transaction that stores the prompt. */
  started(db: Kysely<Tables>, turn: StartedTurn): Promise<void>
  /** Runs first in the transaction that ends the turn, before the pause is read again. */
  ending(db: Kysely<Tables>): Promise<void>
  /** Runs last in the transaction that ends the turn. @param ended null: the model failed or was broken off */
  ended(db: Kysely<Tables>, turn: StartedTurn, ended: EndedTurn | null): Promise<void>
  /** Tells whether the pause message is sent in answer to a prompt, which may be for the second time. */
  announcesPause(db: Kysely<Tables>, turn: StartedTurn): Promise<boolean>
}

export const noHooks: TurnHooks = {
  starting: async () => {},
  started: async () => {},
  ending: async () => {},
  ended: async () => {},
  announcesPause: async () => true,
}
