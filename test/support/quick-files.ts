import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that `npm run quick` runs. */
interface QuickFiles {
  files: string[]
  /** Test files that also depend on the changes, but less closely. */
  left: string[]
}

/** The most dependents: on SQLite they take about half a minute on two cores, while the pure units run. */
const MOST_DEPENDENTS = 24
/** The helpers that start a database, a service or a browser; a unit that reaches one is not pure. */
const COSTLY = ['databases.ts', 'service-process.ts', 'chromium.ts'].map((name) => `test/support/${name}`)
/** Matches paths of other files, in imports and for workers. */
const PATHS = /'(\.{1,2}\/[^'\n]+\.(?:ts|tsx|js|mjs))'/g
/** Words of paths that say nothing about a subject. */
const COMMON = new Set(['src', 'test', 'api', 'unit', 'ts', 'tsx', 'index', 'support'])

/**
 * Chooses the pure units, and the tests of the API and of units that depend on the changes: first those that share
 * words of their path with a changed file, and are few imports away.
 * @param folder the project's folder
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

/** Reads the imports. @returns for each file, the files that name it */
function readImporters(folder: string, sources: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const source of sources)
    for (const [, path = ''] of readFileSync(join(folder, source), 'utf8').matchAll(PATHS)) {
      const named = join(source, '..', path)
      importers.set(named, [...(importers.get(named) ?? []), source])
    }
  return importers
}

/** Returns the number of imports between each file and the nearest of `files`, for files that reach one. */
function distancesFrom(
  files: readonly string[],
  importers: ReadonlyMap<string, string[]>,
): Map<string, number> {
  const distances = new Map(files.map((file) => [file, 0]))
  // A map yields entries that are added while it is read, so the nearest come first.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

/** Returns the files that differ from the main branch in the current folder, committed or not. */
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
      // A clone of only another branch has no main.
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
