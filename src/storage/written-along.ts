import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Receives true if the transaction in which something was written has been committed. */
export type Settle = (isCommitted: boolean) => void

/** Additional rows of a piece of work, written in the next of its transactions, whichever that is. */
export interface WrittenAlong {
  /** Writes the rows that wait. @returns null when none do */
  write(db: Kysely<Tables>): Promise<Settle | null>
  /** Ends the collection of rows with the work. Rows that still wait have no transaction to join. */
  leave(): void
}

const works = new AsyncLocalStorage<{ along: WrittenAlong | null }>()

/** Runs a piece of work whose transactions also write its additional rows. */
export async function takingAlong<T>(work: () => Promise<T>): Promise<T> {
  const current: { along: WrittenAlong | null } = { along: null }
  try {
    return await works.run(current, work)
  } finally {
    current.along?.leave()
  }
}

/** Returns the additional rows of the current work, made on first use; null outside of such work. */
export function takenAlong<Along extends WrittenAlong>(make: () => Along): Along | null {
  const current = works.getStore()
  if (!current) return null
  current.along ??= make()
  return current.along as Along
}

/** Writes the additional rows at the end of a transaction, so that they are locked only briefly. */
export async function writeAlong(db: Kysely<Tables>): Promise<Settle | null> {
  return (await works.getStore()?.along?.write(db)) ?? null
}
