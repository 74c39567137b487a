import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Tells whether the transaction that something was written in has been committed. */
export type Settle = (isCommitted: boolean) => void

/** Rows that a piece of work writes besides its own, in whichever of its transactions comes next. */
export interface WrittenAlong {
  /** Writes what waits. @returns null: nothing does */
  write(db: Kysely<Tables>): Promise<Settle | null>
  /** Called when the work has ended. What still waits has no transaction to go with. */
  leave(): void
}

const works = new AsyncLocalStorage<{ along: WrittenAlong | null }>()

/** Runs a piece of work whose transactions take along what it has to write besides. */
export async function takingAlong<T>(work: () => Promise<T>): Promise<T> {
  const current: { along: WrittenAlong | null } = { along: null }
  try {
    return await works.run(current, work)
  } finally {
    current.along?.leave()
  }
}

/** Finds what the current work takes along, or makes it; null: nothing is taken along now. */
export function takenAlong<Along extends WrittenAlong>(make: () => Along): Along | null {
  const current = works.getStore()
  if (!current) return null
  current.along ??= make()
  return current.along as Along
}

/** Writes what the current work takes along, as the last of a transaction, so that its rows are locked shortly. */
export async function writeAlong(db: Kysely<Tables>): Promise<Settle | null> {
  return (await works.getStore()?.along?.write(db)) ?? null
}
