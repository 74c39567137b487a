import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The present key, then those that a rotation has not finished with. Each is 32 bytes in base64. */
export type MasterKeys = [string, ...string[]]

/** Adds the key before a rotation that has not finished, if there is one. */
export function withPrevious(keys: MasterKeys, previous: string | null): MasterKeys {
  return previous === null ? keys : [...keys, previous]
}

export const MASTER_KEY_FILE = 'master.key'

/**
 * Reads the master keys of a data directory. A new installation gets one, with mode 0600.
 * @param isNew true if nothing is stored yet: only then may a key be made
 * @throws Error if the key is missing although there is data, or if others may read it
 */
export async function keptMasterKeys(dataDir: string, isNew: boolean): Promise<MasterKeys> {
  if (isNew) await makeKey(dataDir)
  const kept = await readMasterKeys(dataDir)
  if (kept) return kept
  throw new Error(
    `${join(dataDir, MASTER_KEY_FILE)} is missing, but the database holds secrets that were sealed with it: put it back, or set ` +
      'PARLEY_MASTER_KEY to the key they were sealed with',
  )
}

/** Reads the master keys of a data directory; null if there are none. @throws Error if others may read them */
export async function readMasterKeys(dataDir: string): Promise<MasterKeys | null> {
  return readMasterKeyFile(join(dataDir, MASTER_KEY_FILE))
}

/** Reads a file of master keys; null if it is missing. @throws Error if others may read it */
export async function readMasterKeyFile(file: string): Promise<MasterKeys | null> {
  const handle = await open(file).catch(ifMissing)
  if (!handle) return null
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new Error(`${file} is a folder, not a file`)
    refuseIfOpenToOthers(file, stats.mode)
    const [first, ...rest] = (await handle.readFile('utf8')).split(/\s+/).filter(Boolean)
    if (first === undefined) throw new Error(`${file} is empty: put the master key back`)
    return [first, ...rest]
  } finally {
    await handle.close()
  }
}

/** Adds keys to those of a data directory. @throws Error if it has only others */
export async function keepMasterKeys(dataDir: string, keys: MasterKeys): Promise<void> {
  const present = await readMasterKeys(dataDir)
  const missing = keys.filter((key) => !present?.includes(key))
  if (present === null) await writeMasterKeys(dataDir, keys)
  else if (missing.length === keys.length)
    throw new Error(`${join(dataDir, MASTER_KEY_FILE)} is the key of other data: move it away first`)
  else if (missing.length > 0) await writeMasterKeys(dataDir, [...present, ...missing])
}

/** Returns keys as a file of them has them. */
export function masterKeyText(keys: MasterKeys): string {
  return `${keys.join('\n')}\n`
}

/** Replaces the stored keys. After a crash the file holds either the old keys or the new ones. */
export async function writeMasterKeys(dataDir: string, keys: MasterKeys): Promise<void> {
  await writeAside(dataDir, keys, (aside, file) => rename(aside, file))
}

async function makeKey(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (await stat(join(dataDir, MASTER_KEY_FILE)).catch(ifMissing)) return
  // If two processes start at once, `link` lets only one make the key, and both read it.
  await writeAside(dataDir, [randomBytes(32).toString('base64')], async (aside, file) => {
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  })
}

async function writeAside(
  dataDir: string,
  keys: MasterKeys,
  publish: (aside: string, file: string) => Promise<void>,
): Promise<void> {
  const file = join(dataDir, MASTER_KEY_FILE)
  const aside = `${file}.${randomUUID()}`
  try {
    const handle = await open(aside, 'wx', 0o600)
    try {
      await handle.writeFile(masterKeyText(keys))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await publish(aside, file)
  } finally {
    await rm(aside, { force: true })
  }
  const directory = await open(dataDir)
  await directory.sync()
  await directory.close()
}

/**
 * Refuses a file that others may access. Group access is left to the operator, because Kubernetes gives it to every
 * file of a volume at each mount. Windows has no such modes.
 */
function refuseIfOpenToOthers(file: string, mode: number): void {
  if ((mode & 0o007) === 0 || process.platform === 'win32') return
  throw new Error(
    `every user of this machine may read ${file}: run chmod 600 on it, or set PARLEY_MASTER_KEY instead where the ` +
      'file system keeps no modes',
  )
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
