import { bestTag } from '../../lib/language/best-tag.ts'
import { detectLanguage } from '../../lib/language/detect-language.ts'
import { type Language, type Sentences, sentences } from './sentences.ts'

/** The knowledge answerer's own sentences. */
export interface Phrases {
  welcome: string
  /** Says what can be asked. */
  introduce(titles: readonly string[], greeted: boolean): string
  /** Names what may be meant. */
  meant(names: readonly string[]): string
  /** Names the pages that may hold the answer. */
  help(names: readonly string[]): string
  /** Names no document, because none has anything to do with the question. */
  unknown: string
}

/** Sentences that an operator wrote in place of the knowledge answerer's own, by the tag of their language. */
export type OwnSentences = Readonly<Record<string, { [Name in keyof Sentences]?: string | undefined }>>

/** The knowledge answerer's sentences in a language. */
export function phrases(language: string, own: OwnSentences = {}): Phrases {
  const usual: Sentences = sentences[isKnown(language) ? language : 'en']
  const { hello, welcome, ask, about, meant, help, unknown } = {
    ...usual,
    ...own[bestTag(Object.keys(own), language) ?? ''],
  } as Sentences
  const topics = (titles: readonly string[]) => (titles.length === 0 ? '' : ` ${about}\n\n${inList(titles)}`)
  return {
    welcome,
    introduce: (titles, greeted) => `${greeted ? `${hello} ` : ''}${ask}${topics(titles)}`,
    meant: (names) => `${meant}\n\n${inList(names)}`,
    help: (names) => `${help}\n\n${inList(names)}`,
    unknown,
  }
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
export function languageOfAnswer(question: string, asked: readonly string[], own: OwnSentences = {}): string {
  const detected = detectLanguage(question) ?? detectLanguage(asked.toReversed().join('\n'))
  if (detected !== null) return isKnown(detected) || bestTag(Object.keys(own), detected) ? detected : 'en'
  return USUAL.find(([script]) => script.test(question))?.[1] ?? 'en'
}

function isKnown(language: string): language is Language {
  return Object.hasOwn(sentences, language)
}
