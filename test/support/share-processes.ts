import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The file that one process runs, and the tests in it. */
export interface ProcessFile {
  /** A test file, or one that imports several of them. */
  file: string
  tests: string[]
}

/**
 * The number of files of these folders that share a process: each process loads some 2,400 modules in more than a second
 * of processor time, and for the browser starts Chromium as well. Those that wait most are first, so that the run does
 * not end with waiting.
 */
const SHARING = {
  'test/faults/': 3,
  'test/browser/': 5,
  'test/docs/': 3,
  'test/commands/': 3,
  'test/clients/': 4,
  'test/api/': 12,
  'test/unit/': 24,
}
/** Marks a file that replaces Node's own functions before anything else is loaded, and so needs its own process. */
const REPLACES_MODULES = 'syncBuiltinESMExports('

/** Groups test files into processes. @param folder the place for files that import others */
export async function shareProcesses(files: readonly string[], folder: string): Promise<ProcessFile[]> {
  const groups = Object.entries(SHARING).flatMap(([under, most]) => {
    const those = files.filter((file) => file.startsWith(under) && canShare(file))
    const count = Math.ceil(those.length / most)
    // Neighbours are alike and take equally long, so each goes to another process.
    return Array.from({ length: count }, (_, group) => ({
      name: basename(under),
      tests: those.filter((_, at) => at % count === group),
    }))
  })
  const shared = new Set(groups.flatMap(({ tests }) => tests))
  const alone = files.filter((file) => !shared.has(file))
  // Node runs files in the order of their names.
  const fileOf = (name: string, at: number) => join(folder, `${String(at).padStart(3, '0')}-${name}.mjs`)
  return [
    ...(await Promise.all(groups.map(({ name, tests }, at) => importing(tests, fileOf(name, at))))),
    ...alone.map((file) => ({ file, tests: [file] })),
  ]
}

function canShare(file: string): boolean {
  return !readFileSync(file, 'utf8').includes(REPLACES_MODULES)
}

async function importing(tests: string[], file: string): Promise<ProcessFile> {
  await writeFile(file, tests.map((test) => `import '${pathToFileURL(test)}'\n`).join(''))
  return { file, tests }
}
