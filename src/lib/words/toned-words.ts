import { readWords } from './words.ts'

/** Letters of Vietnamese alone. */
const VIETNAMESE = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/

/** Whether a text is in Vietnamese, whose words are other words without their marks. */
export function isToned(text: string): boolean {
  return VIETNAMESE.test(text.normalize('NFC'))
}

/** What tells apart words that are alike once they are folded. */
export interface TonedWords {
  /** The syllables with marks as they are written, each with its folded form. */
  marked: { written: string; plain: string }[]
  /** Neighbours, as `âm lượng`: most words have two syllables. */
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
