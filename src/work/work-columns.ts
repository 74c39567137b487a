import type { ColumnType } from 'kysely'

type Nullable = ColumnType<string | null, string | null | undefined, string | null>

/** The columns in which the engine of work keeps what became of a row's work, beside `attempts` and the lease's. */
export interface WorkColumns {
  /** Counts the processes that have ended with it under way since it last got further. */
  deaths: ColumnType<number, number | undefined, number>
  /** The time since which it is left, because it failed too often; null: it is not. */
  parked_at: Nullable
  /** The code of its last failure. */
  failure: Nullable
}
