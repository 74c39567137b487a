import { LATIN_WORDS, OTHER_WORDS } from './frequent-words.ts'
import { letterVotes } from './letters.ts'
import { mainScript } from './scripts.ts'

/** So much of a text tells its language. */
const SAMPLE = 2000
const ADDRESSES = /(?:https?:\/\/|www\.)\S+|\S+@\S+/giu
/** What every address contains, which is quicker to look for. */
const ADDRESS_SIGN = /@|\/\/|www/i
const WORD = /[\p{L}\p{M}]+(?:['’\u200c-][\p{L}\p{M}]+)*/gu
/** An article or pronoun that is written onto the word behind it. */
const ELISION = /^(?:[cdjlmnst]|qu|dell|all|nell|sull)'(.+)$/
const MARKS = /[\u0300-\u036f]/g

/** Below this there is too little evidence; that of one word of one language alone is 1. */
const LEAST = 0.9
/** The evidence a word of the text that a sentence of the language has at least. */
const LEAST_A_WORD = 0.12
/** How much clearer than the next language the best one must be. */
const MARGIN = 1.15

/** Which languages a word is frequent in. A word written without its diacritics tells a little less. */
const languagesOf = new Map<string, string[]>()
const plainLanguagesOf = new Map<string, string[]>()
for (const [language, words] of Object.entries({ ...LATIN_WORDS, ...OTHER_WORDS })) {
  for (const word of new Set(words.split(/\s+/))) {
    add(languagesOf, word, language)
    if (withoutMarks(word) !== word) add(plainLanguagesOf, withoutMarks(word), language)
  }
}
const PLAIN_WEIGHT = 0.6

/**
 * The language of a text as ISO 639-1, by its script, its frequent words and its letters; null when they do not
 * tell. A sentence is enough as a rule, a single word seldom is. Norwegian is `no`.
 */
export function detectLanguage(text: string): string | null {
  const start = text.slice(0, SAMPLE)
  const sample = (ADDRESS_SIGN.test(start) ? start.replace(ADDRESSES, ' ') : start).normalize('NFC')
  const main = mainScript(sample)
  if (main === null || main.language !== null) return main?.language ?? null
  const words = sample.toLowerCase().replaceAll('’', "'").match(WORD) ?? []
  const votes = new Map<string, number>()
  const vote = (language: string, weight: number) => {
    if (isOfScript(language, main.script)) votes.set(language, (votes.get(language) ?? 0) + weight)
  }
  for (const word of words) wordVotes(word, vote)
  letterVotes(sample, vote)
  const [best, next] = [...votes].sort(([, a], [, b]) => b - a)
  if (!best || best[1] < Math.max(LEAST, words.length * LEAST_A_WORD)) return null
  return best[1] >= (next?.[1] ?? 0) * MARGIN ? best[0] : null
}

function wordVotes(word: string, vote: (language: string, weight: number) => void): void {
  const languages = languagesOf.get(word) ?? plainLanguagesOf.get(word)
  if (!languages) {
    const [, rest] = ELISION.exec(word) ?? []
    if (rest !== undefined) wordVotes(rest, vote)
    return
  }
  const weight = languagesOf.has(word) ? 1 : PLAIN_WEIGHT
  // A word that several languages have tells less for each.
  for (const language of languages) vote(language, weight / languages.length ** 0.7)
}

const CYRILLIC = ['ru', 'uk', 'bg', 'sr']
const ARABIC = ['ar', 'fa', 'ur']
const DEVANAGARI = ['hi', 'mr', 'ne']
const OF_SCRIPT: Record<string, ReadonlySet<string>> = {
  Latin: new Set(Object.keys(LATIN_WORDS)),
  Cyrillic: new Set(CYRILLIC),
  Arabic: new Set(ARABIC),
  Devanagari: new Set(DEVANAGARI),
}

function isOfScript(language: string, script: string): boolean {
  return OF_SCRIPT[script]?.has(language) ?? false
}

function add(map: Map<string, string[]>, word: string, language: string): void {
  const known = map.get(word)
  if (known) known.push(language)
  else map.set(word, [language])
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(MARKS, '').normalize('NFC')
}
