import { foldText, holdsWord } from './find-words.ts'
import { stem } from './stemming/stem.ts'
import { plainWords } from './words.ts'

/** Finds which of its words and phrases stand in a text. Returns them as they were given, in their order. */
export type WordFinder = (text: string) => string[]

/**
 * Letters, digits and the joints of a phrase. A word with any other character, such as `c++`, is found only as written.
 */
const WORDS_ONLY = /^[\p{L}\p{N}\p{M}]+(?:[\s\p{Pd}'’]+[\p{L}\p{N}\p{M}]+)*$/u
/** Scripts without spaces, and Korean, whose particles follow the word: neither has endings to take off. */
const UNINFLECTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}ー々]/u
/** A word of a text, up to where a script without spaces begins. */
const WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}\p{Pc}])+/gu
const ASCII = /^\p{ASCII}*$/u
/** The same words in ASCII, found faster. */
const ASCII_WORD = /\w+/g
/** The characters that may stand between the words of a phrase. */
const JOINT = /^[\s\p{Pd}'’]*$/u

/**
 * Makes a finder of words and phrases. It finds them at word boundaries and in other inflections, as the knowledge
 * search does: `refund` in "Refunds?", `возврат` in "возврата". Accents then do not matter. Words in scripts without
 * spaces and words with signs in them, such as `c++`, are found only as written.
 * @param exact finds no other inflections, and tells accents apart
 */
export function wordFinder(words: readonly string[], { exact = false } = {}): WordFinder {
  const looked = words.map((word) => ({ word, folded: foldText(word) }))
  const isInflected = ({ folded }: { folded: string }) =>
    !exact && WORDS_ONLY.test(folded) && !UNINFLECTED.test(folded)
  const written = looked.filter((one) => !isInflected(one))
  const phrases = looked.filter(isInflected).map(({ word, folded }) => ({ word, stems: stemsOf(folded) }))
  const byFirst = Map.groupBy(phrases, ({ stems }) => stems[0] ?? '')
  return (text) => {
    const reading = read(text)
    const found = new Set<string>()
    for (const { word, folded } of written) if (holdsWord(reading.folded, folded)) found.add(word)
    if (phrases.length > 0) for (const word of findInflected(reading.words(), byFirst)) found.add(word)
    return found.size === 0 ? [] : words.filter((word) => found.has(word))
  }
}

/**
 * Returns the largest number of words that a find may span. For a text that comes in pieces, callers must hold back one
 * fewer than that, and the unfinished word. A character of a script without spaces counts as a word.
 */
export function longestFind(words: readonly string[]): number {
  const lengths = words.map((word) => {
    const runs = foldText(word).split(/[\s\p{Pd}'’]+/u)
    return runs.flatMap((run) => (UNINFLECTED.test(run) ? Array.from(run) : [run])).length
  })
  return Math.max(0, ...lengths)
}

interface Phrase {
  word: string
  stems: readonly string[]
}

/** The words of a text, by their stems. */
interface ReadWords {
  stems: readonly string[]
  /** True where a word may follow the one before it within a phrase. */
  isJoined: readonly boolean[]
}

/** A text, folded and split as far as finders have asked for it. */
interface Reading {
  text: string
  folded: string
  words(): ReadWords
}

/** The text that was read last. Many rules look at the same text, one after the other. */
let latest: Reading | null = null

function read(text: string): Reading {
  if (latest?.text === text) return latest
  const folded = foldText(text)
  let words: ReadWords | undefined
  const reading = { text, folded, words: () => (words ??= takeApart(folded)) }
  // No text stays in memory for longer than this turn of the event loop.
  if (latest === null) setImmediate(forget)
  latest = reading
  return reading
}

function forget(): void {
  latest = null
}

function takeApart(text: string): ReadWords {
  const stems: string[] = []
  const isJoined: boolean[] = []
  const known = new Map<string, string>()
  let end = 0
  for (const { 0: word, index } of text.matchAll(ASCII.test(text) ? ASCII_WORD : WORD)) {
    const stem = known.get(word) ?? stemOf(word)
    known.set(word, stem)
    stems.push(stem)
    const between = text.slice(end, index)
    isJoined.push(between === ' ' || JOINT.test(between))
    end = index + word.length
  }
  return { stems, isJoined }
}

function* findInflected(
  { stems, isJoined }: ReadWords,
  byFirst: ReadonlyMap<string, readonly Phrase[]>,
): Generator<string> {
  for (let at = 0; at < stems.length; at++) {
    const phrases = byFirst.get(stems[at] as string)
    if (!phrases) continue
    for (const phrase of phrases) {
      const stands = phrase.stems.every(
        (one, place) => stems[at + place] === one && (place === 0 || isJoined[at + place]),
      )
      if (stands) yield phrase.word
    }
  }
}

function stemsOf(phrase: string): string[] {
  return Array.from(phrase.matchAll(WORD), ([word]) => stemOf(word))
}

/** Returns the stem of a word; a name such as `my_cat`, which is one word, stays as it is. */
function stemOf(word: string): string {
  const [plain = '', ...others] = plainWords(word)
  return others.length > 0 ? word : stem(plain)
}
