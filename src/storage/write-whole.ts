import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file that gets its name once all of it is on the disk, readable only by its owner. The next attempt writes
 * over what an interrupted one left behind.
 * @param target a file that does not exist
 * @param write fills the file that it is given, which exists and is empty
 */
export async function writeWhole(target: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = partialOf(target)
  await refuseExisting(target)
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    await write(partial)
    await file.sync()
    await nameFile(file, partial, target)
  } catch (error) {
    if (await isOurs(file, partial)) await rm(partial)
    throw error
  } finally {
    await file.close()
  }
}

/** Returns the name of a file while it is being written. */
export const partialOf = (target: string) => `${target}.partial`

/** @throws Error if there is anything of this name */
export async function refuseExisting(target: string): Promise<void> {
  const there = await stat(target).catch(() => null)
  if (there) throw Object.assign(new Error(`${target} already exists`), { code: 'EEXIST' })
}

/** True if nobody else has begun to write the same file meanwhile. */
async function isOurs(file: FileHandle, partial: string): Promise<boolean> {
  const [ours, there] = await Promise.all([file.stat(), stat(partial).catch(() => null)])
  return ours.ino === there?.ino
}

/** Gives a file its name, in a way that survives a power failure. */
async function nameFile(file: FileHandle, partial: string, target: string): Promise<void> {
  if (!(await isOurs(file, partial))) throw new Error(`another command is writing ${partial}`)
  // Unlike a rename, a link never replaces a file that has been created meanwhile.
  await link(partial, target).then(
    () => rm(partial),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // Not every file system supports links.
      return rename(partial, target)
    },
  )
  const folder = await open(dirname(target), 'r')
  await folder.sync().finally(() => folder.close())
}
