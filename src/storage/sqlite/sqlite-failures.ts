import { statfsSync } from 'node:fs'

/** Result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte is the primary one. */
export const BUSY = 5
/** A disk that failed. */
export const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
const UNAVAILABLE = new Set([
  BUSY,
  6 /* locked */,
  8 /* read only, as file systems become after faults */,
  IO_ERROR,
  FULL,
  CANNOT_OPEN,
])
const NO_DATABASE = new Set([11 /* malformed */, 26 /* not a database */])
const UNIQUE_VIOLATIONS = new Set([1555 /* primary key */, 2067 /* unique */])

/** True if the database cannot be used at the moment. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(resultCode(error) & 0xff)
}

function resultCode(error: unknown): number {
  return (error as { errcode?: number } | null)?.errcode ?? 0
}

/**
 * Tells whether the disk is full. SQLite also calls it an I/O error where its index of the log finds no room, and says
 * that a file cannot be opened where there is no room for another one.
 */
export function isFull(error: unknown, dataDir: string): boolean {
  const code = resultCode(error) & 0xff
  return code === FULL || ((code === IO_ERROR || code === CANNOT_OPEN) && hasNoRoom(dataDir))
}

/** Tells whether a folder takes no more bytes, or no more files. Some file systems do not count files. */
function hasNoRoom(dataDir: string): boolean {
  const { bavail, files, ffree } = statfsSync(dataDir)
  return bavail === 0 || (files > 0 && ffree === 0)
}

/** True if another connection writes or reads what is wanted. */
export function isBusy(error: unknown): boolean {
  return (resultCode(error) & 0xff) === BUSY
}

/** True if a row with the same key is there. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.has(resultCode(error))
}

/** True if the file is no database of SQLite, or damaged. */
export function isNoDatabase(error: unknown): boolean {
  return NO_DATABASE.has(resultCode(error) & 0xff)
}
