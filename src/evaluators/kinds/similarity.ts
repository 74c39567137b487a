import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { isNegated } from '../../language/negation.ts'
import { stem } from '../../language/words/stemming/stem.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import { plainWords } from '../../language/words/words.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z.strictObject({
  examples: z
    .array(boundedText(1000).refine((text) => plainWords(text).length > 0, 'must hold a word'))
    .min(1)
    .max(100)
    .describe('Texts of the kind that is looked for.'),
})

/** The most characters of a text that are compared. */
const MOST_CHARACTERS = 20_000
/** The most clauses of a text that are compared. */
const MOST_CLAUSES = 100
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu
const CLAUSE = /[^,;:،؛、，；：]+[,;:،؛、，；：]*/gu
/** The most stretches of a text that are compared with one example. */
const MOST_STRETCHES = 20
/** The most other words that may stand between the words of an example. */
const BETWEEN = 2
/** The most words of a negated clause that says nothing but the negation. */
const WORDS_OF_DENIAL = 3
/** The share of the likeness that remains when one text is negated and the other is not. */
const OPPOSITE = 0.5

/**
 * Compares stemmed words and runs of letters with example texts, without a model. It recognizes the same content in
 * other inflections, in another order, with typing errors, or within a longer sentence. It does not recognize words
 * that have nothing in common with the examples, or a text that denies what the example says.
 */
export const similarity: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Compares words and letters with example texts; the score is the likeness to the nearest.',
  settings,
  threshold: 0.6,
  // The whole text is compared with the examples too.
  reach: () => 'whole',
  judge({ examples }) {
    const known = examples.map((text) => ({ ...partOf(text, isNegated(text)), text }))
    return async ({ text }) => {
      const pause = takeTurns()
      let nearest: { score: number; content: string | null } = { score: 0, content: null }
      for (const part of partsOf(text)) {
        for (const example of known) {
          const alike = likenessWithin(part, example)
          const score = part.isNegated === example.isNegated ? alike : alike * OPPOSITE
          if (score > nearest.score) nearest = { score, content: example.text }
        }
        await pause()
      }
      return nearest
    }
  },
}

interface Part extends Features {
  /** All words, folded, in their order. */
  plain: readonly string[]
  isNegated: boolean
}

function partOf(text: string, isNegated: boolean): Part {
  const plain = plainWords(text)
  return { plain, isNegated, ...featuresOf(plain) }
}

/** Yields the text, its sentences and their clauses, any of which may say the same as an example. */
function* partsOf(whole: string): Generator<Part> {
  const text = whole.slice(0, MOST_CHARACTERS)
  yield partOf(text, isNegated(text))
  const sentences = text.match(SENTENCE) ?? []
  let left = MOST_CLAUSES
  for (const sentence of sentences) {
    if (sentences.length > 1) yield partOf(sentence, isNegated(sentence))
    const clauses = sentence.match(CLAUSE) ?? []
    // "Do not, whatever happens, cancel it": a clause that is only a negation also negates the clauses after it.
    let isDenied = false
    for (const clause of clauses.length > 1 ? clauses : []) {
      const part = partOf(clause, isDenied || isNegated(clause))
      isDenied ||= part.isNegated && part.plain.length <= WORDS_OF_DENIAL
      yield part
    }
    left -= Math.max(1, clauses.length)
    if (left <= 0) return
  }
}

interface Features {
  /** Stemmed words without stop words; all words of a text that consists only of stop words. */
  words: ReadonlyMap<string, number>
  /** Runs of three letters, including the ends of words. */
  letters: ReadonlyMap<string, number>
}

function featuresOf(plain: readonly string[]): Features {
  const telling = plain.filter((word) => !isStopWord(word)).map(stem)
  const runs = plain.flatMap((word) => runsOf(` ${word} `))
  return { words: unit(telling.length > 0 ? telling : plain), letters: unit(runs) }
}

/**
 * Tells how alike an example and a part of a text are. When the part contains all words of the example, its stretches
 * are compared as well.
 */
function likenessWithin(part: Part, example: Part): number {
  let best = likeness(part, example)
  const size = example.plain.length
  if (part.plain.length <= size || ![...example.words.keys()].every((word) => part.words.has(word)))
    return best
  let stretches = 0
  for (const [at, word] of part.plain.entries()) {
    if (!example.words.has(stem(word))) continue
    if (++stretches > MOST_STRETCHES) break
    for (const length of [size, size + BETWEEN])
      best = Math.max(best, likeness(featuresOf(part.plain.slice(at, at + length)), example))
  }
  return best
}

function runsOf(word: string): string[] {
  return Array.from({ length: Math.max(1, word.length - 2) }, (_, at) => word.slice(at, at + 3))
}

/** Returns the damped counts as a vector of length 1. */
function unit(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  let squares = 0
  for (const [name, count] of counts) {
    const weight = 1 + Math.log(count)
    counts.set(name, weight)
    squares += weight * weight
  }
  for (const [name, weight] of counts) counts.set(name, weight / Math.sqrt(squares))
  return counts
}

/**
 * Tells how alike two texts are. Words tell what a text is about. Letters count when typing errors leave no word whole.
 */
function likeness(a: Features, b: Features): number {
  const letters = cosine(a.letters, b.letters)
  return Math.min(1, Math.max(letters, (letters + cosine(a.words, b.words)) / 2))
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [name, weight] of fewer) sum += weight * (more.get(name) ?? 0)
  return sum
}
