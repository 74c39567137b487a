import { extname } from 'node:path'
import type { BinaryFormat } from './convert/convert-tasks.ts'
import type { DocumentFormat } from './read-document.ts'

/** The format as which a file is read. */
export type FileFormat = DocumentFormat | BinaryFormat

const FORMATS: Readonly<Record<string, FileFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'mdx',
  '.txt': 'text',
  '.text': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.xht': 'html',
  '.rst': 'rst',
  '.rest': 'rst',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.pdf': 'pdf',
  '.docx': 'docx',
}

/**
 * Returns the format of a file by its extension; null: it is none that is read. Sphinx adds `.txt` to the names of the files
 * from which it made a site.
 */
export function formatOfFile(name: string): FileFormat | null {
  const sourceName = name.replace(/(\.(?:rst|md))\.txt$/i, '$1')
  return FORMATS[extname(sourceName).toLowerCase()] ?? null
}

/** The maximum size of a file in bytes. */
export const LARGEST_FILE = 50 * 1024 * 1024
