import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The file that one process runs, and the tests in it. */
export interface ProcessFile {
  /** A test file, or one that imports several of them. */
  file: string
  tests: string[]
}

/**
 * The number of files of these folders that share a process: there, loading the modules is a third of the processor
 * time, and in the browser's starting Chromium as well. Other tests start processes themselves.
 */
const SHARING = { 'test/api/': 8, 'test/unit/': 16, 'test/browser/': 4 }
/** Marks a file that replaces Node's own functions before anything else is loaded, and so needs its own process. */
const REPLACES_MODULES = 'syncBuiltinESMExports('

/** Groups test files into processes. @param folder the place for files that import others */
export async function shareProcesses(files: readonly string[], folder: string): Promise<ProcessFile[]> {
  const groups: string[][] = []
  for (const [under, most] of Object.entries(SHARING)) {
    const those = files.filter((file) => file.startsWith(under) && canShare(file))
    const count = Math.ceil(those.length / most)
    // Neighbours are alike and take equally long, so each goes to another process.
    for (let group = 0; group < count; group++) groups.push(those.filter((_, at) => at % count === group))
  }
  const shared = new Set(groups.flat())
  const alone = files.filter((file) => !shared.has(file))
  return [
    ...(await Promise.all(groups.map((tests, number) => importing(tests, join(folder, `${number}.mjs`))))),
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
