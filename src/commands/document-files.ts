import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { formatOfFile, LARGEST_FILE } from '../knowledge/formats/file-format.ts'
import { errorCode } from '../lib/error-code.ts'
import { UsageError } from './command.ts'

/** A file that the user named, or a file in a folder that the user named. */
export interface FoundFile {
  /** The path to print: the user's path, and the path below it. */
  path: string
  /** Its path within the named folder, with slashes. */
  name: string
  /** Its absolute path. */
  source: string
  /** The reason why it cannot be a document. */
  refused?: string
}

/**
 * Returns the files of a path: the file itself, or all files of a folder in the order of their names. Links within a
 * folder are not followed. Names that begin with a dot, such as `.git`, are skipped.
 */
export async function filesOf(word: string): Promise<FoundFile[]> {
  const found = await stat(word).catch(() => null)
  if (!found) throw new UsageError(`there is no file ${word}`)
  const source = await realpath(word)
  if (found.isDirectory()) return filesIn({ path: word, name: '', source })
  return [{ path: word, name: basename(word), source, ...refusal(word, found.isFile()) }]
}

async function filesIn(folder: Pick<FoundFile, 'path' | 'name' | 'source'>): Promise<FoundFile[]> {
  const entries = await readdir(folder.source, { withFileTypes: true })
  const files: FoundFile[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const file = {
      path: join(folder.path, entry.name),
      name: folder.name === '' ? entry.name : `${folder.name}/${entry.name}`,
      source: join(folder.source, entry.name),
    }
    if (entry.isDirectory()) files.push(...(await filesIn(file)))
    else if (entry.isSymbolicLink()) files.push({ ...file, refused: 'it is a link' })
    else files.push({ ...file, ...refusal(entry.name, entry.isFile()) })
  }
  return files
}

function refusal(name: string, isFile: boolean): { refused: string } | object {
  if (!isFile) return { refused: 'it is no regular file' }
  return formatOfFile(name) ? {} : { refused: 'its format is not read' }
}

/**
 * Reads the bytes of a regular file.
 * @returns the bytes, or the reason why the file cannot be read
 */
export async function readBytes(path: string): Promise<{ content: Buffer } | { refused: string }> {
  try {
    // Since the folder was listed, a link, or a pipe without a writer, may have replaced the file.
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) return { refused: 'it is no regular file' }
    if (found.size > LARGEST_FILE) return { refused: 'it is too large' }
    return { content: await file.readFile() }
  } catch (error) {
    const code = errorCode(error)
    if (['EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'ENXIO', 'EIO'].includes(code))
      return { refused: `it cannot be read (${code})` }
    throw error
  }
}
