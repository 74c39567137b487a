import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { afterCommit } from '../storage/waking-db.ts'

/** Something that changed in what is said. It holds no text: whoever needs it reads it. */
export type Change = { agent_id: number; conversation_id: string } & (
  | { type: 'conversation' }
  | { type: 'message'; message_id: number }
)

type Listener = (change: Change) => void

/** Who listens to the changes of each database. */
const listeners = new WeakMap<Kysely<Tables>, Set<Listener>>()

/** Tells those who listen in this process of a change, once the transaction `db` has committed; never when it fails. */
export function changed(db: Kysely<Tables>, change: Change): void {
  afterCommit(db, (database) => {
    for (const listener of listeners.get(database) ?? []) listener(change)
  })
}

/**
 * Listens to the changes that this process commits.
 * @param listener must not throw
 * @returns a function that stops listening
 */
export function listenToChanges(database: Kysely<Tables>, listener: Listener): () => void {
  const all = listeners.get(database) ?? new Set()
  listeners.set(database, all.add(listener))
  return () => void all.delete(listener)
}
