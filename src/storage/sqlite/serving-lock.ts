import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../../settings/setting.ts'
import { makeFile } from '../data-dir.ts'
import type { DatabasePlace } from '../database.ts'
import { isBusy } from './sqlite-failures.ts'

/** The longest wait for a process that is being replaced to end. */
const WAIT_MS = 3000

/** The error of a data directory that another process serves. */
export class ServedError extends ConfigError {}

/**
 * Allows only one process to serve a data directory: a second one would treat the work of the first as left behind. The
 * lock is SQLite's lock on a separate file, which the operating system releases however the process ends.
 * @param waitMs the longest wait for it to end
 * @throws ServedError when another process serves the directory
 */
export function lockDataDir(dataDir: string, waitMs = WAIT_MS): Disposable {
  const file = makeFile(dataDir, 'serving.lock')
  const lock = new DatabaseSync(file, { timeout: waitMs })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new ServedError(`another process is already serving PARLEY_DATA_DIR ${dataDir}: stop it first`)
  }
  return { [Symbol.dispose]: () => lock.close() }
}

/** Keeps other processes from serving a database in a folder; null for one on PostgreSQL. @throws ServedError */
export function lockFolder({ databaseUrl, dataDir }: DatabasePlace): Disposable | null {
  return databaseUrl === null ? lockDataDir(dataDir) : null
}

/** True while a process serves a data directory. */
export function isServed(dataDir: string): boolean {
  try {
    lockDataDir(dataDir, 0)[Symbol.dispose]()
    return false
  } catch (error) {
    if (!(error instanceof ServedError)) throw error
    return true
  }
}
