const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]`
/** Soft hyphens, and spaces without width in scripts that part words by spaces: in others they part words. */
const BREAKS = new RegExp(String.raw`\u00AD|(?<=${LETTER})\u200B+(?=${LETTER})`, 'gu')

/** Removes the invisible marks that say where a word may be broken at the end of a line. */
export function withoutWordBreaks(text: string): string {
  return text.replace(BREAKS, '')
}
