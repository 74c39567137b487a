import { readWords } from './words.ts'

/** Letters that only Vietnamese has. */
const VIETNAMESE = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/

/** Tells whether a text is in Vietnamese, in which a word without its marks is a different word. */
export function isToned(text: string): boolean {
  return VIETNAMESE.test(text.normalize('NFC'))
}

/** Forms that distinguish words which are alike once they are folded. */
interface TonedWords {
  /** The syllables with marks as they are written, each with its folded form. */
  marked: { written: string; plain: string }[]
  /** Pairs of neighbouring syllables, such as `âm lượng`, because most words have two. */
  pairs: string[]
}

export function tonedWords(text: string): TonedWords {
  const words = readWords(text)
  const isMarked = ({ written, plain }: { written: string; plain: string }) => written !== plain
  const pairs = words.slice(1).flatMap((word, at) => {
    const before = words[at]
    return before && (isMarked(before) || isMarked(word)) ? [`${before.written} ${word.written}`] : []
  })
  return { marked: words.filter(isMarked), pairs }
}
