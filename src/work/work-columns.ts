import type { ColumnType } from 'kysely'

type Nullable = ColumnType<string | null, string | null | undefined, string | null>

/** The columns in which the work engine records the fate of a row, beside `attempts` and those of the lease. */
export interface WorkColumns {
  /** The number of processes that have ended while working on it since it last made progress. */
  deaths: ColumnType<number, number | undefined, number>
  /** The time at which it was parked, because it failed too often; null when it is not. */
  parked_at: Nullable
  /** The code of its last failure. */
  failure: Nullable
}
