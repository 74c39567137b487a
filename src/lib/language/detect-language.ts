import { LATIN_WORDS, OTHER_WORDS } from './frequent-words.ts'
import { letterVotes } from './letters.ts'
import { mainScript } from './scripts.ts'

/** The number of characters that are examined. */
const SAMPLE = 2000
const ADDRESSES = /(?:https?:\/\/|www\.)\S+|\S+@\S+/giu
/** Signs of an address, of which each contains one. Quicker to search for than the addresses. */
const ADDRESS_SIGN = /@|\/\/|www/i
const WORD = /[\p{L}\p{M}]+(?:['’\u200c-][\p{L}\p{M}]+)*/gu
/** An article or pronoun that is written onto the next word. */
const ELISION = /^(?:[cdjlmnst]|qu|dell|all|nell|sull)'(.+)$/
const MARKS = /[\u0300-\u036f]/g

/** The least evidence for a language to be detected. One word that only one language has gives 1. */
const LEAST = 0.9
/** The least evidence for each word of the text, which sentences of the language reach. */
const LEAST_A_WORD = 0.12
/** The least factor by which the best language must lead the next one. */
const MARGIN = 1.15

/** Languages in which each word is frequent. A word written without its diacritics is weaker evidence. */
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
 * Detects the language of a text by its script, its frequent words and its letters. Returns an ISO 639-1 code, or null
 * if they do not decide. A sentence is usually enough, a single word seldom. Norwegian is `no`.
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
  // A word that several languages share is weaker evidence for each.
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
