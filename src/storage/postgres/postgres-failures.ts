import type pg from 'pg'
import { errorCode } from '../../lib/error-code.ts'
import { isStalePlan } from './postgres-plan-keeping.ts'

/**
 * Codes, in order: not accepting connections, shutting down or starting up, standby, out of room, I/O error, lost
 * connection; transactions ended in favour of others or for idling (PostgreSQL, appendix A); the system's own codes.
 */
const AWAY =
  /^(55000|57P0[1-5]|25006|53[0-3]00|58030|08...|40(001|P01)|55P03|25P03|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/
/** Codes of what a role may not: `statement_timeout`, `transaction_timeout`, `temp_file_limit`. */
const BEYOND_LIMITS = new Set(['57014', '25P04', '53400'])
/** The code of a statement that would have waited for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** The pool's message when no connection became free in time. */
const NO_CONNECTION = 'timeout exceeded when trying to connect'
/** Messages of the client, without a code, when a connection is lost or none became free in time. */
const LOST = new RegExp(`^(Connection terminated|${NO_CONNECTION}|Client has encountered a connection error)`)

/** Errors that the client of the database has thrown. Those of a mail server, say, can have the same codes. */
const failures = new WeakSet<object>()

/** Notes that an error is the database's. */
export function noteFailure(error: unknown): void {
  failures.add(Object(error))
}

/** Connects, and notes the error if that fails. */
export async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    noteFailure(error)
    throw error
  }
}

/** Returns the error for a caller that has waited too long for a connection. */
export function noConnection(): Error {
  const error = new Error(NO_CONNECTION)
  noteFailure(error)
  return error
}

/** True if the database has failed with this error because it cannot be used at the moment. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || (failures.has(Object(error)) && BEYOND_LIMITS.has(errorCode(error)))
}

/** True if it cannot be used at the moment, whatever it is asked. */
export function isAway(error: unknown): boolean {
  if (!failures.has(Object(error))) return false
  return (
    AWAY.test(errorCode(error)) || isStalePlan(error) || (error instanceof Error && LOST.test(error.message))
  )
}
