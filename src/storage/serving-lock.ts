import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'
import { makeDataDir } from './data-dir.ts'

/** A process that is being replaced may take a moment to end. */
const WAIT_MS = 3000

/**
 * Keeps a data directory to one serving process: a second one would take what the first is working on for left
 * behind. SQLite's lock on a file of its own is the operating system's, and goes with the process however that ends.
 * @throws ConfigError when another process serves the directory
 */
export function lockDataDir(dataDir: string): Disposable {
  makeDataDir(dataDir)
  const file = join(dataDir, 'serving.lock')
  closeSync(openSync(file, 'a', 0o600))
  const lock = new DatabaseSync(file, { timeout: WAIT_MS })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new ConfigError('PARLEY_DATA_DIR is served by another process already')
  }
  return { [Symbol.dispose]: () => lock.close() }
}
