import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { indexWords, plainWords } from '../../lib/words.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z.strictObject({
  examples: z
    .array(boundedText(1000).refine((text) => plainWords(text).length > 0, 'must hold a word'))
    .min(1)
    .max(100)
    .describe('Texts of the kind that is looked for.'),
})

/** So much of a text is compared. */
const MOST_CHARACTERS = 20_000
/** Sentences that it is compared by, at most. */
const MOST_SENTENCES = 100
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu

/**
 * Compares stemmed words and runs of letters with example texts; no model is asked. It finds the same matter in other
 * inflections, order or with typing errors, not in words that share nothing with the examples.
 */
export const similarity: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Compares words and letters with example texts; the score is the likeness to the nearest.',
  settings,
  threshold: 0.6,
  judge({ examples }) {
    const known = examples.map((text) => ({ text, features: featuresOf(text) }))
    return ({ text }) => {
      let nearest: { score: number; content: string | null } = { score: 0, content: null }
      for (const part of partsOf(text)) {
        const features = featuresOf(part)
        for (const example of known) {
          const score = likeness(features, example.features)
          if (score > nearest.score) nearest = { score, content: example.text }
        }
      }
      return nearest
    }
  },
}

/** The text and, when it has several, its sentences: one of them may say what an example says. */
function partsOf(whole: string): string[] {
  const text = whole.slice(0, MOST_CHARACTERS)
  const sentences = text.match(SENTENCE) ?? []
  return sentences.length > 1 ? [text, ...sentences.slice(0, MOST_SENTENCES)] : [text]
}

interface Features {
  /** Stemmed words without those that every sentence has; all words of a text that has no others. */
  words: ReadonlyMap<string, number>
  /** Runs of three letters, word ends included. */
  letters: ReadonlyMap<string, number>
}

function featuresOf(text: string): Features {
  const plain = plainWords(text)
  const telling = indexWords(text)
  const runs = plain.flatMap((word) => runsOf(` ${word} `))
  return { words: unit(telling.length > 0 ? telling : plain), letters: unit(runs) }
}

function runsOf(word: string): string[] {
  return Array.from({ length: Math.max(1, word.length - 2) }, (_, at) => word.slice(at, at + 3))
}

/** The counts, dampened, as a vector of length 1. */
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

/** Words tell what a text is about; letters alone are enough when typing errors leave no word whole. */
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
