import { plainWords } from '../../language/words/words.ts'
import type { FoundPassage } from '../../model/findings.ts'

/** The share of common words from which texts are copies of each other. */
const SAME = 0.95
/** The number of best passages whose words are compared. Those behind them are copies only if their text is the same. */
const COMPARED = 10
/** The number of characters at the beginning of a text that tell most texts apart. */
const BEGINNING = 200
const DIGIT = /\p{N}/u

/**
 * Leaves out passages that say nearly the same as a better one, such as a paragraph that stands on several pages. Texts
 * that differ in a number or in a word of the question are not copies: they may be about different things. So may short
 * answers below different headings, as the heading counts as part of the text.
 * @param passages best first
 */
export function withoutCopies(question: string, passages: readonly FoundPassage[]): FoundPassage[] {
  const kept: FoundPassage[] = []
  const firstWords = onceEach(({ text }) => new Set(plainWords(text.slice(0, BEGINNING))))
  const words = onceEach(({ heading, text }) => new Set(plainWords(`${heading} ${text}`)))
  let asked: Set<string> | undefined
  for (const [at, passage] of passages.entries()) {
    const isCopy = kept.some((other) => {
      // Most passages differ so much in length that their words need not be compared.
      if (!isAlike(passage.text.length, other.text.length)) return false
      const mayBeCopy =
        passage.text === other.text || (at < COMPARED && beginAlike(firstWords(passage), firstWords(other)))
      if (!mayBeCopy) return false
      asked ??= new Set(plainWords(question))
      return areCopies(words(passage), words(other), asked)
    })
    if (!isCopy) kept.push(passage)
  }
  return kept
}

function isAlike(one: number, other: number): boolean {
  return Math.min(one, other) >= 0.9 * Math.max(one, other)
}

/** Tells whether two beginnings share half of their words: those of copies share more, whatever few words differ. */
function beginAlike(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return words.intersection(others).size >= Math.max(words.size, others.size) / 2
}

function areCopies(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  if (Math.min(words.size, others.size) < SAME * Math.max(words.size, others.size)) return false
  const all = words.union(others)
  const differing = words.symmetricDifference(others)
  if (all.size - differing.size < SAME * all.size) return false
  return ![...differing].some((word) => DIGIT.test(word) || asked.has(word))
}

/** Returns a function that makes a value for each passage only once. */
function onceEach<Value>(make: (passage: FoundPassage) => Value): (passage: FoundPassage) => Value {
  const made = new Map<FoundPassage, Value>()
  return (passage) => made.getOrInsertComputed(passage, make)
}
