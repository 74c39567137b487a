import { plainWords } from '../language/words/words.ts'
import { INDEXED_CHARACTERS, type SearchedWord } from './index/terms.ts'

/** An excerpt of a text, in parts; the parts that match a query are marked. */
type MarkedPiece = { text: string; marked: boolean }[]

const PIECE_CHARACTERS = 240
/** The number of characters of the excerpt before its first mark. */
const BEFORE_MARK = 60
const RUN = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Returns the excerpt with most of a query's words, matches marked; the beginning of the text if nothing matches. */
export function markText(text: string, words: readonly SearchedWord[]): MarkedPiece {
  const indexed = text.slice(0, INDEXED_CHARACTERS)
  const marks = [...findMarks(indexed, words)]
  const from = startOf(indexed, bestMark(marks))
  const to = endOf(text, from)
  const piece: MarkedPiece = []
  const add = (part: string, marked: boolean) => {
    if (part !== '') piece.push({ text: part, marked })
  }
  let at = from
  for (const mark of marks) {
    if (mark.from < at || mark.to > to) continue
    add(text.slice(at, mark.from), false)
    add(text.slice(mark.from, mark.to), true)
    at = mark.to
  }
  add(text.slice(at, to), false)
  return piece
}

interface Mark {
  from: number
  to: number
  /** The indexes of the query's words that it matches. */
  words: readonly number[]
}

function* findMarks(text: string, words: readonly SearchedWord[]): Generator<Mark> {
  const known = new Map<string, readonly number[]>()
  for (const { from, word } of wordsOf(text)) {
    let matched = known.get(word)
    if (!matched) {
      const terms = plainWords(word)
      matched = words.flatMap((one, at) => (terms.some((term) => one.grade(term) !== null) ? [at] : []))
      known.set(word, matched)
    }
    if (matched.length > 0) yield { from, to: from + word.length, words: matched }
  }
}

/** Yields the words of a text as written, split as the index splits them. */
function* wordsOf(text: string): Generator<{ from: number; word: string }> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!UNSPACED.test(run)) yield { from: index, word: run }
    else
      for (const { segment, index: at } of segmenter.segment(run)) yield { from: index + at, word: segment }
  }
}

/** Returns the position of the mark that begins the excerpt with most of the words; the first of equals. */
function bestMark(marks: readonly Mark[]): number {
  let best = 0
  let most = 0
  for (const [at, { from }] of marks.entries()) {
    const found = new Set<number>()
    for (
      let next = at;
      (marks[next]?.to ?? Number.POSITIVE_INFINITY) <= from + PIECE_CHARACTERS - BEFORE_MARK;
      next++
    )
      for (const word of marks[next]?.words ?? []) found.add(word)
    if (found.size > most) {
      best = from
      most = found.size
    }
  }
  return best
}

/** Returns the beginning of a word a little before a mark. */
function startOf(text: string, mark: number): number {
  if (mark <= BEFORE_MARK) return 0
  const space = text.indexOf(' ', mark - BEFORE_MARK)
  return whole(text, space < 0 || space >= mark ? mark - BEFORE_MARK : space + 1)
}

function endOf(text: string, from: number): number {
  const most = from + PIECE_CHARACTERS
  if (text.length <= most) return text.length
  const space = text.lastIndexOf(' ', most)
  return whole(text, space > from + PIECE_CHARACTERS / 2 ? space : most)
}

/** Moves a position that would split a surrogate pair to before the pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
