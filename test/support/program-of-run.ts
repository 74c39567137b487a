import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { OfRun } from './lend.ts'

/** The program in a few files, as `bundle-program.ts` writes it. */
export interface LentProgram {
  /** Its first file, in place of `src/main.js`. */
  main: string
  /** Its own `test/support/lock-order.ts`. */
  lockOrder: string
  /** The folder of its compiled code; null for the sources, whose is that of the tests. */
  compiled: string | null
}

const FOLDER = resolve('node_modules/.cache/program')
const KEPT_MS = 24 * 60 * 60 * 1000

/** Bundles the program for a run, or takes what an earlier run made of the same files. */
export async function programOfRun(): Promise<OfRun<LentProgram>> {
  const folder = join(FOLDER, keyOfSources())
  if (!(await ageOf(folder))) {
    const made = `${folder}.${process.pid}`
    // A process of its own gives back a gigabyte of memory.
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bundle-program.ts'), made])
    await rename(made, folder).catch(() => rm(made, { recursive: true }))
    await removeOld()
  }
  return {
    lent: {
      main: join(folder, 'main.mjs'),
      lockOrder: join(folder, 'lock-order.mjs'),
      compiled: join(folder, 'compiled'),
    },
  }
}

/** Returns a key that changes with every file from which the bundle is made. */
function keyOfSources(): string {
  const files = globSync([
    'src/**/*.{ts,js}',
    'package-lock.json',
    'test/support/{bundle-program,lock-order}.ts',
  ])
  const hash = createHash('sha256').update(process.version)
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('base64url').slice(0, 16)
}

/** Removes the bundles of other sources, except those that a run under way may use. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const folder = join(FOLDER, name)
    if (((await ageOf(folder)) ?? 0) > KEPT_MS) await rm(folder, { recursive: true, force: true })
  }
}

async function ageOf(folder: string): Promise<number | null> {
  const found = await stat(folder).catch(() => null)
  return found && Date.now() - found.mtimeMs
}
