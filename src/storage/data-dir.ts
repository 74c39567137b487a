import { accessSync, constants, mkdirSync } from 'node:fs'
import { ConfigError } from '../config.ts'

const REASONS: Record<string, string> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
}

/**
 * Creates the data directory when it is missing.
 * @throws ConfigError that says why nothing can be stored there
 */
export function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = REASONS[code]
    throw new ConfigError(
      `PARLEY_DATA_DIR ${dataDir} cannot be written: ${reason ? `${reason} (${code})` : code}`,
    )
  }
}
