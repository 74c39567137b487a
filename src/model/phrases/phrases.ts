import { bestTag } from '../../language/best-tag.ts'
import { detectLanguage } from '../../language/detect-language.ts'
import { acceptedIn, smallTalk } from '../../language/small-talk.ts'
import { type Language, type Sentences, sentences } from './sentences.ts'

type Plain = 'welcome' | 'unknown' | 'fine' | 'okay' | 'bye' | 'person' | 'offer' | 'unfinished'

/** The knowledge answerer's own sentences. */
export interface Phrases extends Pick<Sentences, Plain> {
  /** Says that no person answers. */
  robot: string
  /** Says what can be asked. */
  introduce(titles: readonly string[], greeted: boolean): string
  /** Names what may be meant. */
  meant(names: readonly string[]): string
  /** Names the pages that may hold the answer. */
  help(names: readonly string[]): string
}

/** Sentences that an operator wrote in place of the knowledge answerer's own, by the tag of their language. */
export type OwnSentences = Readonly<Record<string, { [Name in keyof Sentences]?: string | undefined }>>

/** The knowledge answerer's sentences in a language. */
export function phrases(language: string, own: OwnSentences = {}): Phrases {
  const usual: Sentences = sentences[isKnown(language) ? language : 'en']
  const said = { ...usual, ...own[bestTag(Object.keys(own), language) ?? ''] } as Sentences
  const { hello, ask, about, meant, help } = said
  const topics = (titles: readonly string[]) => (titles.length === 0 ? '' : ` ${about}\n\n${inList(titles)}`)
  return {
    ...said,
    robot: `${said.robot} ${ask}`,
    introduce: (titles, greeted) => `${greeted ? `${hello} ` : ''}${ask}${topics(titles)}`,
    meant: (names) => `${meant}\n\n${inList(names)}`,
    help: (names) => `${help}\n\n${inList(names)}`,
  }
}

/** Tells whether a text ends with an offer of a person in Parley's own words or in the operator's. */
export function endsWithOffer(text: string, own: OwnSentences): boolean {
  const offers = [...Object.values(sentences), ...Object.values(own)].flatMap(({ offer }) => offer ?? [])
  return offers.some((offer) => text.trimEnd().endsWith(offer))
}

function inList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** The language that most people who write in a script expect when the text does not show its language. */
const USUAL: readonly [script: RegExp, language: Language][] = [
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
]

/**
 * Chooses the language to answer in: that of the question; if the question is too short, that of all questions
 * together; otherwise the usual language of the script. English when none of these is known, or when there are no
 * sentences in it.
 */
function languageOfAnswer(question: string, asked: readonly string[], own: OwnSentences = {}): string {
  const detected = detectLanguage(question) ?? detectLanguage(asked.toReversed().join('\n'))
  if (detected !== null) return isKnown(detected) || bestTag(Object.keys(own), detected) ? detected : 'en'
  return USUAL.find(([script]) => script.test(question))?.[1] ?? 'en'
}

/** The language from which others have borrowed a word that is small talk by itself. */
const HOMES: Readonly<Record<string, string>> = { merci: 'fr', ciao: 'it' }

/**
 * Chooses the language to answer small talk or a yes in. Words that several languages share are answered in the
 * language of the earlier questions, if it is one of them.
 */
export function languageOfTalk(said: string, asked: readonly string[], own: OwnSentences = {}): string {
  const talk = smallTalk(said)
  const accepted = acceptedIn(said)
  // "Yes, please" is said in few words, which look like another language.
  if (!talk) return languageOfAnswer(accepted.length > 0 ? '' : said, asked, own)
  const languages: string[] = [...talk.languages, ...accepted]
  const before = languageOfAnswer('', asked.slice(0, -1), own)
  const [first] = languages
  if (!first || languages.includes(before)) return before
  return HOMES[said.toLowerCase().replace(/[^a-z]/g, '')] ?? first
}

function isKnown(language: string): language is Language {
  return Object.hasOwn(sentences, language)
}
