import { stemArabic } from './arabic.ts'
import { stemCyrillic } from './cyrillic.ts'
import { stemLatin } from './latin.ts'

const LATIN = /^[a-z]{4,}$/
const CYRILLIC = /^[\u0400-\u045f\u0490\u0491]{4,}$/
const ARABIC = /^[\u0621-\u0652]{3,}$/

/**
 * Takes the inflectional endings off a word, so that its forms meet. It is rough on purpose: texts and questions are
 * treated alike, so a stem need not be a word. Words with digits or in other scripts stay as they are.
 * @param word folded by `plainWords`
 */
export function stem(word: string): string {
  if (LATIN.test(word)) return stemLatin(word)
  if (CYRILLIC.test(word)) return stemCyrillic(word)
  return (ARABIC.test(word) && stemArabic(word)) || word
}
