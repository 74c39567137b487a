import { sentencesOf } from '../../language/queries-of.ts'
import { accepts, smallTalk, wishesForPerson } from '../../language/small-talk.ts'
import { plainWords } from '../../language/words/words.ts'

/** "No" in the languages of small talk, folded. */
const REFUSALS: ReadonlySet<string> = new Set(
  (
    'no nope nah nein ne nee non nao nej nei ei ikke nie nem nu hayir khong tidak нет ні не οχι לא لا ' +
    'نه نہیں नहीं 아니요 아니오 아니 不 不是 不用 不要 没有 いいえ いや ไม่ ไม่ใช่'
  ).split(' '),
)

/**
 * Tells whether a message asks something that documents could answer: small talk, accepting or refusing an offer, and
 * the mere wish for a person do not.
 */
export function asksSomething(message: string): boolean {
  if (message === '' || smallTalk(message) !== null || accepts(message)) return false
  const [only, ...others] = sentencesOf(message)
  if (only === undefined || others.length > 0) return true
  return !wishesForPerson(only) && !refuses(only)
}

function refuses(sentence: string): boolean {
  return REFUSALS.has(plainWords(sentence).join(''))
}
