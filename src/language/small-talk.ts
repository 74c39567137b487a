import type { TalkLanguage } from './talk/greetings.ts'
import { type Part, phrasesAt, wordsOf } from './talk/known-phrases.ts'
import { KINDS, readTalk, type TalkKind } from './talk/read-talk.ts'

export type { TalkKind, TalkLanguage }

interface SmallTalk {
  kind: TalkKind
  /** The languages in which the message has this meaning; empty if it has no words. */
  languages: TalkLanguage[]
}

/** The end of a question. */
export const ASKS = /[?？؟]["”»)]*$/

/** The most characters of a message that may be small talk, and of one in which a sentence may wish for a person. */
const LONGEST = 200
const LONGEST_WITH_WISH = 2500
/** The most characters of a sentence that wishes for a person. */
const LONGEST_WISH = 120

/**
 * Recognizes a message that asks nothing of the documents, such as a greeting or thanks, or that wishes for a person.
 * Returns null for a message that says anything else as well. Only a wish may also give its reason.
 */
export function smallTalk(text: string): SmallTalk | null {
  if (text.length > LONGEST) return null
  if (wordsOf(text).length === 0) return inEmoji(text)
  const read = readTalk(text)
  const kind = KINDS.find((kind) => read.some((one) => one.kind === kind))
  // "Solved?" asks whether it is.
  if (!kind || (kind === 'acknowledgement' && ASKS.test(text.trimEnd()))) return null
  return { kind, languages: read.flatMap((one) => (one.kind === kind ? one.language : [])) }
}

/** Tells whether a message wishes for a person: as a whole, in a sentence, or at an end of one. */
export function wishesForPerson(text: string): boolean {
  if (smallTalk(text)?.kind === 'wish') return true
  if (text.length > LONGEST_WITH_WISH) return false
  const said = unquoted(text)
  if (QUOTE.test(said)) return false
  return said.split(SENTENCE_END).some((sentence) => {
    const clauses = sentence.split(CLAUSE_END)
    return [...new Set([sentence, clauses[0], clauses.at(-1)])].some((part) => isFullWish(part ?? ''))
  })
}

/** Takes out of a text what stands in quotation marks, which is talked about and not said. */
function unquoted(text: string): string {
  return text.replace(QUOTED, ' ')
}

/** Something in quotation marks, and a mark of inches or feet behind a number. */
const QUOTED =
  /(?<![\p{L}\p{N}])"[^"]*"|“[^”]*”|”[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|`[^`]*`|(?<!\p{L})['‘‚]\p{L}[^'‘’]*['‘’](?!\p{L})|(?<=\p{N})["']/gu
/** A quotation mark that is left: nobody knows where what it begins or ends is. */
const QUOTE = /["“”„«»「」『』`]|(?<!\p{L})['‘’‚]\p{L}/u
const SENTENCE_END = /[.!?\n。！？؟।…]+/u
/** The end of a clause. Also matches the words that follow a reason in languages that put the reason first. */
const CLAUSE_END = /[,;:–—،、，；：]|\s-\s|について|に関して|の件で|のことで|에 대해(?:서)?|에 관해(?:서)?/u

/** Tells whether somebody says in full that they want to speak to a person. */
function isFullWish(text: string): boolean {
  if (text.length > LONGEST_WISH) return false
  return readTalk(text).some(({ kind, isFull }) => kind === 'wish' && isFull)
}

/** The most sentences at the end of a text that may offer a person, and the most characters of such a sentence. */
const LAST_SENTENCES = 3
const LONGEST_OFFER = 220
/** The most words between a person and what the person does; in a script without spaces, the most characters. */
const BESIDE = 8

/** Tells whether a text ends by offering a person, in whatever words, and asks nothing after that. */
export function offersPerson(text: string): boolean {
  const sentences = unquoted(text.slice(-1000)).match(SENTENCES) ?? []
  const last = sentences.filter((sentence) => /\p{L}/u.test(sentence)).slice(-LAST_SENTENCES)
  const place = last.findLastIndex(isOffer)
  return place >= 0 && !last.slice(place + 1).some((sentence) => /[?？؟]/.test(sentence))
}

const SENTENCES = /[^.!?\n。！？؟।…]+[.!?。！？؟।…]*/gu
const PERSONS: ReadonlySet<Part> = new Set<Part>(['alone', 'person', 'anyone', 'who'])

function isOffer(sentence: string): boolean {
  if (sentence.length > LONGEST_OFFER || QUOTE.test(sentence)) return false
  const words = wordsOf(sentence)
  const found = words.flatMap((_, at) =>
    phrasesAt(words, at).map(([end, language, part]) => ({ at, end, language, part })),
  )
  return Map.groupBy(found, ({ language }) => language)
    .values()
    .some((parts) => {
      const offers = parts.filter(({ part }) => part === 'offers')
      // A word of an offer explains nothing, as in `let me know if you`.
      const explains = parts.some(
        ({ part, at, end }) =>
          part === 'explains' && !offers.some((offer) => offer.at <= at && end <= offer.end),
      )
      if (offers.length === 0 || explains) return false
      const persons = parts.filter(({ part }) => PERSONS.has(part))
      const answers = parts.filter(({ part }) => part === 'answers')
      return persons.some((person) =>
        answers.some(({ at, end }) => at - person.end <= BESIDE && person.at - end <= BESIDE),
      )
    })
}

/** Tells whether a message accepts an offer in words and says nothing else. */
export function accepts(text: string): boolean {
  return acceptedIn(text).length > 0
}

/** Returns the languages in which a message accepts an offer in words and says nothing else. */
export function acceptedIn(text: string): TalkLanguage[] {
  if (text.length > LONGEST) return []
  const words = wordsOf(text)
  const languages = new Set(phrasesAt(words, 0).map(([, language]) => language))
  return [...languages].filter((language) => acceptsIn(language, words))
}

function acceptsIn(language: TalkLanguage, words: readonly string[]): boolean {
  // True for a place that was reached with a word of acceptance before it, false without one, absent if not reached.
  const reached: (boolean | undefined)[] = [false]
  for (let place = 0; place < words.length; place++) {
    const accepted = reached[place]
    if (accepted === undefined) continue
    for (const [end, of, part] of phrasesAt(words, place))
      if (of === language && ACCEPTING.has(part)) reached[end] ||= accepted || part === 'acceptance'
  }
  return reached[words.length] === true
}

const ACCEPTING: ReadonlySet<Part> = new Set<Part>(['acceptance', 'courtesy', 'thanks'])

const APPROVAL = /[👍👌✅❤😊🙂👏💯🎉😀😃😄😁🤗🥰🆗]/u
const DISAPPROVAL = /[👎😞😠😡🙁☹]/u
const WAVE = /[👋🤚✋]/u
const FOLDED_HANDS = /🙏/u
const EMOJI_ONLY = /^[\p{Extended_Pictographic}\p{Emoji_Component}\s]+$/u

function inEmoji(text: string): SmallTalk | null {
  if (!EMOJI_ONLY.test(text)) return null
  if (WAVE.test(text)) return { kind: 'greeting', languages: [] }
  if (FOLDED_HANDS.test(text)) return { kind: 'thanks', languages: [] }
  if (DISAPPROVAL.test(text)) return { kind: 'refusal', languages: [] }
  return APPROVAL.test(text) ? { kind: 'acknowledgement', languages: [] } : null
}
