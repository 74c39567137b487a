import { storableText } from './storable-text.ts'

/**
 * Returns a file's name without its folders, and without the marks of direction, which can have `gnp.exe` shown as
 * `exe.png`; may be empty.
 */
export function plainFileName(name: string): string {
  const last = storableText(name).split(/[\\/]/).at(-1) ?? ''
  return last.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trim()
}
