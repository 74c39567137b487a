import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm run quick` runs. */
export interface QuickFiles {
  files: string[]
  /** Test files that depend on what changed as well, but less closely. */
  left: string[]
}

/** So many files on SQLite take about half a minute on two cores, beside which the pure units run. */
const MOST_DEPENDENTS = 24
/** A unit that reaches one of these has a database, a service or a browser: it is not pure. */
const COSTLY = ['databases.ts', 'service-process.ts', 'chromium.ts'].map((name) => `test/support/${name}`)
/** Paths of other files, in imports and for workers. */
const PATHS = /'(\.{1,2}\/[^'\n]+\.(?:ts|tsx|js|mjs))'/g
/** Words of paths that say nothing of a subject. */
const COMMON = new Set(['src', 'test', 'api', 'unit', 'ts', 'tsx', 'index', 'support'])

/**
 * Chooses the pure units, and the tests of the API and of units that depend on what changed: first those that share words
 * of their path with it, and are few imports away.
 * @param folder of the project
 */
export function quickFiles(folder: string, changed: readonly string[]): QuickFiles {
  const sources = globSync('{src,test,console,widget,browser,bench}/**/*.{ts,tsx,js}', {
    cwd: folder,
    exclude: ['**/dist/**', '**/node_modules/**'],
  })
  const importers = readImporters(folder, sources)
  const units = sources.filter((file) => /^test\/unit\/.*\.test\.ts$/.test(file))
  const tests = [...units, ...sources.filter((file) => /^test\/api\/.*\.test\.ts$/.test(file))]
  const costly = distancesFrom(COSTLY, importers)
  const pure = units.filter((file) => !costly.has(file))

  const distances = distancesFrom(changed, importers)
  const words = new Set(changed.flatMap(wordsOf))
  const farness = (file: string) =>
    (distances.get(file) ?? 0) - 2 * wordsOf(file).filter((word) => words.has(word)).length
  const dependents = tests
    .filter((file) => distances.has(file) && costly.has(file))
    .sort((a, b) => farness(a) - farness(b))
  return {
    files: [...pure, ...dependents.slice(0, MOST_DEPENDENTS)],
    left: dependents.slice(MOST_DEPENDENTS),
  }
}

/** @returns for each file those that name it */
function readImporters(folder: string, sources: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const source of sources)
    for (const [, path = ''] of readFileSync(join(folder, source), 'utf8').matchAll(PATHS)) {
      const named = join(source, '..', path)
      importers.set(named, [...(importers.get(named) ?? []), source])
    }
  return importers
}

/** How many imports each file is away from the nearest of `files`, of those that reach one at all. */
function distancesFrom(
  files: readonly string[],
  importers: ReadonlyMap<string, string[]>,
): Map<string, number> {
  const distances = new Map(files.map((file) => [file, 0]))
  // A map hands out what is added while it is read: nearest first.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

/** What differs from the main branch in the present folder, committed or not. */
export function changedFiles(): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean)
  const base = mergeBase() ?? 'HEAD'
  const named = [
    ...git('diff', '--name-only', '--relative', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(named)]

  function mergeBase(): string | undefined {
    try {
      return git('merge-base', 'HEAD', 'main')[0]
    } catch {
      // A clone of another branch alone has no main.
      return undefined
    }
  }
}

function wordsOf(path: string): string[] {
  return path
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word !== '' && !COMMON.has(word))
}
