import type { ColumnType } from 'kysely'

type Nullable = ColumnType<string | null, string | null | undefined, string | null>

/** The columns in which the work engine claims a row and records its fate, beside `due_at`. */
export interface WorkColumns {
  attempts: ColumnType<number, number | undefined, number>
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

/** The values by which a piece of work begins anew. A worker that has it still loses it when `lease` rises as well. */
export const ANEW = { leased_until: null, attempts: 0, deaths: 0, parked_at: null, failure: null }
