import { fold, readWords } from '../words/words.ts'
import { INTRODUCTIONS, NATURE, WELL_BEING } from './about-itself.ts'
import { ACKNOWLEDGEMENTS, GOODBYES, NEGATIONS, REFUSALS } from './closings.ts'
import { ACCEPTANCES, COURTESIES } from './courtesy.ts'
import { GREETINGS, type TalkLanguage } from './greetings.ts'
import { OFFERS, type OfferWords } from './offers.ts'
import { phrasesOf } from './phrases-of.ts'
import { THANKS } from './thanks.ts'
import { WISHES, type WishWords } from './wishes.ts'

const TABLES = {
  introduction: INTRODUCTIONS,
  nature: NATURE,
  well_being: WELL_BEING,
  thanks: THANKS,
  goodbye: GOODBYES,
  acknowledgement: ACKNOWLEDGEMENTS,
  greeting: GREETINGS,
  refusal: REFUSALS,
  negation: NEGATIONS,
  courtesy: COURTESIES,
  acceptance: ACCEPTANCES,
} as const

/** A part that a phrase has in a message. */
export type Part = keyof typeof TABLES | keyof WishWords | keyof OfferWords

/** A phrase within a message: the place behind it, its language and its part. */
export type FoundPhrase = readonly [end: number, language: TalkLanguage, part: Part]

const LETTER = /[\p{L}\p{N}]/u
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u

/** Returns the words of a text, folded; of scripts without spaces, the characters. */
export function wordsOf(text: string): string[] {
  return readWords(text).flatMap(({ plain }) => {
    // A mark by itself belongs to an emoji.
    if (!LETTER.test(plain)) return []
    return UNSPACED.test(plain) ? Array.from(plain) : plain
  })
}

/** Matches everything between words except the signs of choices. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}|[\]]/gu

/** The languages and parts of each phrase, by its words written together. */
const known = new Map<string, readonly (readonly [TalkLanguage, Part])[]>()
for (const part of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
  for (const [language, phrases] of Object.entries(TABLES[part]))
    learn(language as TalkLanguage, part, phrases)
}
for (const table of [WISHES, OFFERS]) {
  for (const [language, parts] of Object.entries<WishWords | OfferWords>(table)) {
    for (const [part, phrases] of Object.entries(parts))
      learn(language as TalkLanguage, part as Part, phrases)
  }
}

function learn(language: TalkLanguage, part: Part, phrases: string): void {
  // Folded before choices are expanded, which is a tenth of the work.
  const folded = fold(phrases.normalize('NFKC').toLowerCase()).replace(BETWEEN_WORDS, '')
  // Most phrases have one part in one language: those of a table share the list.
  const only = [[language, part] as const]
  for (const key of phrasesOf(folded)) {
    const others = known.get(key)
    known.set(key, others ? [...others, ...only] : only)
  }
}

const LONGEST = Math.max(...Array.from(known.keys(), ({ length }) => length))

/** Returns the phrases that begin at a word, the longest first. */
export function phrasesAt(words: readonly string[], from: number): FoundPhrase[] {
  const found: FoundPhrase[] = []
  let key = ''
  for (let at = from; at < words.length && key.length <= LONGEST; at++) {
    key += words[at]
    for (const [language, part] of known.get(key) ?? []) found.unshift([at + 1, language, part])
  }
  return found
}
