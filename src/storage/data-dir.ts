import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '../config.ts'

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
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = REASONS[code]
    throw new ConfigError(
      `PARLEY_DATA_DIR ${dataDir} cannot be written: ${reason ? `${reason} (${code})` : code}`,
    )
  }
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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}
