import { extname } from 'node:path'
import type { DocumentFormat } from './read-document.ts'

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'mdx',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
}

/** The format of a file, by its extension; null: it is none that is read. */
export function formatOfFile(name: string): DocumentFormat | null {
  return FORMATS[extname(name).toLowerCase()] ?? null
}
