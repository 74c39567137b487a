import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the files below a folder whose bytes contain a word. */
export async function filesWith(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return files.filter((_, n) => contents[n]?.includes(word))
}
