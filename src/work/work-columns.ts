import { type ColumnType, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { takenOver } from './lease.ts'

type Nullable = ColumnType<string | null, string | null | undefined, string | null>

/** The columns in which the work engine claims a row and records its fate, beside `due_at`. */
export interface WorkColumns {
  attempts: ColumnType<number, number | undefined, number>
  /** The part of `attempts` that its policy was patient with, because a server was away: it does not lead to parking. */
  waits: ColumnType<number, number | undefined, number>
  /** Rises with each claim. Only the process with the newest lease may write. */
  lease: ColumnType<number, number | undefined, number>
  leased_until: string | null
  /** The process that holds the lease. */
  holder: Nullable
  /** The number of processes that have ended while working on it since it last made progress. */
  deaths: ColumnType<number, number | undefined, number>
  /** The time at which it was parked, because it failed too often; null when it is not. */
  parked_at: Nullable
  /** The code of its last failure. */
  failure: Nullable
}

type WorkTable = {
  [Table in keyof Tables]: Tables[Table] extends WorkColumns ? Table : never
}[keyof Tables]

/** The values by which a piece has all its attempts. One that processes have died of stays a suspect, worked alone. */
const ALL_ATTEMPTS = { attempts: 0, waits: 0, parked_at: null, failure: null }

/** The values by which a piece of work begins anew. */
export const ANEW = { ...ALL_ATTEMPTS, leased_until: null, deaths: 0 }

/** Makes a piece due at a time, with all its attempts. A worker that has it goes on. */
export function dueAgain<At>(due_at: At) {
  return { due_at, ...ALL_ATTEMPTS }
}

/** Has a piece begin anew at a time. A worker that has it loses it. */
export function begunAnew<At>(table: WorkTable, due_at: At) {
  return { due_at, ...ANEW, ...takenOver(table) }
}

/**
 * Notes that a piece is wanted at a time. If it waits, it keeps its own time and its failures, since what it needs may
 * be away; if it was parked, it has all its attempts again.
 */
export function wantedAt(table: WorkTable, at: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return {
    due_at: sql<string>`case when ${column('parked_at')} is null then coalesce(${column('due_at')}, ${at}) else ${at} end`,
    ...unparked(table),
  }
}

/** Clears the failures of a piece if it was parked. */
export function unparked(table: WorkTable) {
  const unlessParked = <Value>(name: string, value: RawBuilder<Value>) => {
    const [parkedAt, kept] = [sql.ref(`${table}.parked_at`), sql.ref(`${table}.${name}`)]
    return sql<Value>`case when ${parkedAt} is null then ${kept} else ${value} end`
  }
  return {
    attempts: unlessParked('attempts', sql<number>`0`),
    waits: unlessParked('waits', sql<number>`0`),
    failure: unlessParked('failure', sql<string | null>`null`),
    parked_at: null,
  }
}
