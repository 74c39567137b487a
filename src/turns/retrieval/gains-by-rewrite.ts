import { detectLanguage } from '../../language/detect-language.ts'
import { sentencesOf } from '../../language/queries-of.ts'
import { tellingness } from '../../language/words/common-words.ts'
import { indexWords } from '../../language/words/words.ts'
import type { ModelMessage } from '../../model/model.ts'

/** A question whose passages were searched for as it stands. */
export interface AskedQuestion {
  question: string
  /** The conversation before the question. */
  before: readonly ModelMessage[]
  /** True if a passage is likely to fit the question. */
  fits: boolean
}

/** The most words of a question that may refer to what was said before. */
const LONGEST_FOLLOW_UP = 4
/** The number of telling words from which a short question has a subject of its own. */
const OF_SUBJECT = 2
/** The number of words from which a text shows its language. */
const SHOWS_LANGUAGE = 4

/**
 * Tells whether queries can find more than the question: it follows another one, or is not in the documents' language.
 */
export function gainsByRewrite(
  { question, before, fits }: AskedQuestion,
  languages: readonly string[],
): boolean {
  const words = [...new Set(indexWords(question))]
  const isFollowUp = before.some(({ role }) => role === 'user') && words.length <= LONGEST_FOLLOW_UP
  if (isFollowUp && words.filter((word) => tellingness(word) === 1).length < OF_SUBJECT) return true
  return !fits && (isFollowUp || (languages.length > 0 && isForeign(question, languages)))
}

/** Tells whether a sentence of a message is in none of some languages, or mixes several. */
function isForeign(message: string, languages: readonly string[]): boolean {
  return sentencesOf(message).some((sentence) => {
    const language = detectLanguage(sentence)
    if (language !== null) return !languages.includes(language)
    return indexWords(sentence).length >= SHOWS_LANGUAGE
  })
}
