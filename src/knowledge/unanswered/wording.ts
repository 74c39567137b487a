import { createHmac } from 'node:crypto'
import { askedIn } from '../../language/queries-of.ts'
import { indexWords, plainWords } from '../../language/words/words.ts'
import { startOfQuestion } from '../start-of-question.ts'

/** The wording of a question, by which it is grouped with others. It tells nobody a word that does not have the key. */
export interface Wording {
  /** A keyed hash of all its words, whatever their order. */
  hash: string
  /** A short keyed hash of each word, sorted and separated by blanks. */
  words: string
}

/** The number of words that are compared. Longer texts that begin alike count as the same question. */
const MOST_WORDS = 200
/** The characters of a word's hash: few enough that no word follows from it, and enough to tell words apart. */
const HASH_LENGTH = 5

/**
 * Returns the wording of what a message asks: its words that say something, whatever their order, case, accents and
 * endings, without the greetings around them; null for a text that has no word.
 * @param agentId the wordings of two agents cannot be compared
 */
export function wordingOf(key: string, agentId: number, question: string): Wording | null {
  const start = startOfQuestion(question)
  const asked = askedIn(start)
  const said = [indexWords(asked), plainWords(asked), plainWords(start)].find(({ length }) => length > 0)
  if (!said) return null
  const words = [...new Set(said.slice(0, MOST_WORDS))].sort()
  const hashOf = (text: string) => createHmac('sha256', key).update(`${agentId} ${text}`).digest('base64url')
  const ofEach = words.map((word) => hashOf(word).slice(0, HASH_LENGTH))
  return { hash: hashOf(words.join(' ')), words: ofEach.sort().join(' ') }
}

/** The share of words that two wordings of one question have in common. */
const ALIKE = 0.7

/** Finds the wording that has the most words in common with another, if they are alike at all. */
export function nearestWording<Known extends { words: string | null }>(
  { words }: Wording,
  known: readonly Known[],
): Known | null {
  const asked = new Set(words.split(' '))
  let nearest: Known | null = null
  let most = ALIKE
  for (const other of known) {
    if (other.words === null) continue
    const theirs = other.words.split(' ')
    const shared = theirs.filter((word) => asked.has(word)).length
    const likeness = (2 * shared) / (asked.size + theirs.length)
    if (likeness < most || (likeness === most && nearest)) continue
    nearest = other
    most = likeness
  }
  return nearest
}
