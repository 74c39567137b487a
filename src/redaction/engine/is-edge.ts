import { CLASS, MARK, UNSPACED } from './characters.ts'

/** Tells whether a word may begin or end at a place. */
export function isEdge(text: string, at: number): boolean {
  return !isInWord(text, at - 1) || !isInWord(text, at)
}

function isInWord(text: string, at: number): boolean {
  const kind = CLASS[text.charCodeAt(at)] ?? 0
  return kind > 0 && kind <= MARK && kind !== UNSPACED
}
