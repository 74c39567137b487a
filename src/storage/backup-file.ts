import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sealBackup } from './backup-seal.ts'
import type { Engine } from './engine.ts'
import { partialOf, writeWhole } from './write-whole.ts'

/** The first bytes of a backup, by the engine that wrote it. */
const BEGINNINGS = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' } as const

/** The first bytes of a backup under way: SQLite writes its first page last. */
const BEGUN = /^(SQLite format 3\0|PGDMP|\0{16}$)/

/** The rest between two flushes. */
const FLUSH_EVERY_MS = 100

/** Writes a backup that gets its name once it is whole. @param file a file that does not exist */
export async function writeBackup(engine: Engine, file: string): Promise<void> {
  await writeWhole(file, async (partial) => {
    await flushedMeanwhile(partial, () => engine.backup(partial))
    await sealBackup(partial)
  })
}

/**
 * Flushes a file to the disk at intervals while it is written. If gigabytes were flushed at once, a service on the same
 * disk could not commit meanwhile.
 */
async function flushedMeanwhile(file: string, write: () => Promise<void>): Promise<void> {
  const handle = await open(file)
  let isWriting = true
  const flushing = (async () => {
    while (isWriting) {
      await handle.datasync()
      await wait(FLUSH_EVERY_MS)
    }
  })()
  // It is awaited when all is written.
  flushing.catch(() => {})
  try {
    await write()
  } finally {
    isWriting = false
    await flushing.finally(() => handle.close())
  }
}

/** Returns the engine that wrote a backup, as its first bytes say; null for any other file. */
export async function engineOf(file: string): Promise<keyof typeof BEGINNINGS | null> {
  const beginning = await beginningOf(file)
  if (beginning.startsWith(BEGINNINGS.sqlite)) return 'sqlite'
  return beginning.startsWith(BEGINNINGS.postgres) ? 'postgres' : null
}

/** Finds what other backups that were killed have left in the folder of one. */
export async function interruptedBackups(file: string): Promise<string[]> {
  const folder = dirname(file)
  const names = (await readdir(folder)).filter((name) => name.endsWith(partialOf(''))).sort()
  const paths = names.map((name) => join(folder, name)).filter((path) => path !== partialOf(join(file)))
  const begun = await Promise.all(paths.map((path) => beginningOf(path).catch(() => '')))
  return paths.filter((_, at) => BEGUN.test(begun[at] ?? ''))
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    // Node leaves out the path where it is a folder.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0).catch((error: Error) => {
      throw Object.assign(error, { path: file })
    })
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
