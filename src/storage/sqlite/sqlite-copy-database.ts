import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * Copies a SQLite database as it is at one moment. All pages are copied in one step, off the event loop, through a
 * separate connection: a copy in several steps starts over whenever something is written between two of them. The copy
 * gets its name once all of it is on the disk. The next backup overwrites what an interrupted one left behind.
 * @param target a file that does not exist
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  const partial = `${target}.partial`
  await refuseExisting(target)
  await rm(partial, { force: true })
  const copy = await open(partial, 'wx', 0o600)
  try {
    const source = new DatabaseSync(file, { readOnly: true })
    try {
      await backup(source, partial, { rate: 0x7fffffff })
    } finally {
      source.close()
    }
    await copy.sync()
    await nameCopy(copy, partial, target)
  } catch (error) {
    if (await isOurs(copy, partial)) await rm(partial)
    throw error
  } finally {
    await copy.close()
  }
}

async function refuseExisting(target: string): Promise<void> {
  const there = await stat(target).catch(() => null)
  if (there) throw Object.assign(new Error(`${target} already exists`), { code: 'EEXIST' })
}

/** True if no other backup to the same place has started meanwhile. */
async function isOurs(copy: FileHandle, partial: string): Promise<boolean> {
  const [ours, there] = await Promise.all([copy.stat(), stat(partial).catch(() => null)])
  return ours.ino === there?.ino
}

/** Gives a copy its name, in a way that survives a power failure. */
async function nameCopy(copy: FileHandle, partial: string, target: string): Promise<void> {
  if (!(await isOurs(copy, partial))) throw new Error(`another backup is writing ${partial}`)
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
