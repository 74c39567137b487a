import { stem } from './stemming/stem.ts'
import { isStopWord } from './stop-words.ts'
import { withoutWordBreaks } from './word-breaks.ts'

/** The length to which words are cut: an index entry has a limit on PostgreSQL. */
const LONGEST = 64

/** A run of letters, digits and their marks; everything else separates words. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu
/** The place between a number and raised digits, which are those of a note or an exponent. */
const BEFORE_RAISED = /(?<=\p{N})(?<![⁰¹²³⁴-⁹])(?=[⁰¹²³⁴-⁹])/gu
const MARKS = /[\u0300-\u036f]/g
const ASCII = /^\p{ASCII}*$/u
/** Letters whose stroke is no mark in Unicode, and ligatures. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
/** Scripts that are written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Returns the words of a text as knowledge is indexed and searched: case, width and diacritics folded, stop words left
 * out, endings taken off. Takes any string, including lone surrogates and control characters.
 */
export function indexWords(text: string): string[] {
  const words: string[] = []
  for (const word of plainWords(text)) {
    if (!isStopWord(word)) words.push(stem(word))
  }
  return words
}

/** Stands before stop words in the index, so that none is taken for the stem of another word. */
const FILLER = '~'

/**
 * Returns the words of a question as they are indexed: those of `indexWords`, and the stop words, which show its form.
 */
export function questionWords(text: string): string[] {
  return plainWords(text).map(questionWord)
}

/** Turns a word of `plainWords` into one of `questionWords`. */
export function questionWord(word: string): string {
  return isStopWord(word) ? FILLER + word : stem(word)
}

/** Tells whether an indexed word is a stop word. */
export function isFiller(word: string): boolean {
  return word.startsWith(FILLER)
}

/** Returns the words of a text, folded, in their order. */
export function plainWords(text: string): string[] {
  if (ASCII.test(text)) return (text.toLowerCase().match(RUN) ?? []).map(cut)
  return readWords(text).map(({ plain }) => plain)
}

/** A word of a text. */
export interface Word {
  /** The word in lower case. */
  written: string
  /** The folded word, as `plainWords` returns it. */
  plain: string
}

/** Returns the words of a text, both as written and as `plainWords` returns them. */
export function readWords(text: string): Word[] {
  const words: Word[] = []
  for (const run of withoutWordBreaks(text)
    .replace(BEFORE_RAISED, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .match(RUN) ?? []) {
    for (const written of UNSPACED.test(run) ? segment(run) : [run]) {
      const plain = fold(written)
      // Marks without a letter are no word.
      if (plain !== '') words.push({ written: cut(written), plain: cut(plain) })
    }
  }
  return words
}

function segment(run: string): string[] {
  return Array.from(segmenter.segment(run), ({ segment }) => segment)
}

/**
 * Folds words that are in lower case. Recomposes them at the end, because the remaining parts of a decomposed Korean or
 * Japanese letter are no diacritics.
 */
export function fold(words: string): string {
  return ASCII.test(words)
    ? words
    : words
        .normalize('NFD')
        .replace(MARKS, '')
        .normalize('NFC')
        .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
}

function cut(word: string): string {
  return word.length > LONGEST ? Array.from(word).slice(0, LONGEST).join('') : word
}
