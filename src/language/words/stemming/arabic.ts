/** The article written onto the front of a word, with or without a preposition or "and". */
const PREFIX = /^(?:وال|بال|كال|فال|لل|ال)(?=.{2})/
/** Endings of plurals, duals, feminines and possessives. */
const SUFFIX = /(?<=.{3})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/

/** Takes the article, plurals and possessives off an Arabic word. */
export function stemArabic(word: string): string {
  return word
    .replace(/[\u064b-\u0652\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replace(PREFIX, '')
    .replace(SUFFIX, '')
}
