import { hash } from './random.ts'

/** The part of the support sets that may be looked at, and the part of which only the figures are. */
export type Part = 'tuned' | 'held-back'

export const PARTS: readonly Part[] = ['tuned', 'held-back']

/**
 * Tells whether a template, a name, a street or a city is held back: a third is, by a hash of the text alone. Whoever
 * trains or mends the redactor leaves these out, wherever they come from.
 */
export function isHeldBack(text: string): boolean {
  return hash(text.toLowerCase()) % 3 === 0
}

/** Returns the items of one part. */
export function ofPart(items: readonly string[], part: Part): string[] {
  return items.filter((item) => isHeldBack(item) === (part === 'held-back'))
}
