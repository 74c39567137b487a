import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DAY_MS } from '../lib/clock.ts'
import { BUILT } from './serve-console.ts'

const WEEK_MS = 7 * DAY_MS
/** The modification time of kept files that belong to the running version. */
const PRESENT = new Date('2100-01-01T00:00:00Z')

/** Returns the absolute path of the folder in a data directory with the scripts and styles of versions. */
export function keptAssetsIn(dataDir: string): string {
  return resolve(dataDir, 'console-assets')
}

/**
 * Keeps the scripts and styles of this version beside those of earlier ones, for pages that are still open after the
 * next upgrade. A file is deleted at the first start that is a week after the first one of a version without it. An
 * installation without a data directory keeps none.
 * @param built the folder of this version's pages
 */
export async function keepAssets(dataDir: string, nowMs: number, built: string = BUILT): Promise<void> {
  const [assets, folder] = [join(built, 'assets'), keptAssetsIn(dataDir)]
  if (!existsSync(dataDir) || !existsSync(assets)) return
  await mkdir(folder, { recursive: true })
  const timeOf = async (file: string) => (await stat(file).catch(() => null))?.mtimeMs
  const setTime = (file: string, time: Date) => utimes(file, time, time)
  const present = new Set(await readdir(assets))
  for (const name of present) {
    const file = join(folder, name)
    // A copy gets its time when it is complete.
    if ((await timeOf(file)) === PRESENT.getTime()) continue
    await copyFile(join(assets, name), file)
    await setTime(file, PRESENT)
  }
  for (const name of await readdir(folder)) {
    if (present.has(name)) continue
    const file = join(folder, name)
    const goneSince = (await timeOf(file)) ?? nowMs
    if (goneSince === PRESENT.getTime()) await setTime(file, new Date(nowMs))
    else if (nowMs - goneSince > WEEK_MS) await rm(file)
  }
}
