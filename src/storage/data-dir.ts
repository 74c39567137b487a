import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { ConfigError } from '../settings/setting.ts'

const REASONS: Record<string, string> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'its file system takes no folders',
}

/**
 * Creates the data directory when it is missing.
 * @throws ConfigError that says why nothing can be stored there
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir))
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritten(dataDir, reasonOf(error))
  }
}

/**
 * Creates a file of the data directory, which only its owner may read, and the directory when it is missing.
 * @returns its path
 */
export function makeFile(dataDir: string, name: string): string {
  makeDataDir(dataDir)
  const file = join(dataDir, name)
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw orFull(dataDir, error)
  }
  return file
}

/** Returns a failure, or the error that says that the disk is full if that is what failed. */
export function orFull(dataDir: string, error: unknown): unknown {
  return errorCode(error) === 'ENOSPC' ? notWritten(dataDir, reasonOf(error)) : error
}

/** Returns the error that says why nothing can be written. */
export function notWritten(dataDir: string, reason: string): ConfigError {
  return new ConfigError(`PARLEY_DATA_DIR ${dataDir} cannot be written: ${reason}`)
}

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  const reason = REASONS[code]
  return reason ? `${reason} (${code})` : code
}

/**
 * Creates a folder and its missing parents. Node's own `recursive` retries for ever, and ignores signals, where a file
 * system such as /proc refuses a new folder as if its parent were missing.
 */
function makeFolder(folder: string): void {
  const above = dirname(folder)
  if (!existsSync(above)) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}
