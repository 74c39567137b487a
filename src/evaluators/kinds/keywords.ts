import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { foldText } from '../../language/words/find-words.ts'
import { longestFind, wordFinder } from '../../language/words/word-finder.ts'
import type { EvaluatorKind, Reach } from '../evaluator.ts'

const settings = z.strictObject({
  words: z
    .array(boundedText(200).refine((word) => foldText(word) !== '', 'must not be empty'))
    .min(1)
    .max(500)
    .describe(
      'Words or phrases, found in any inflection: `refund` in "Refunds?". A word within a longer one is not found.',
    ),
  match: z
    .enum(['any', 'all'])
    .default('any')
    .describe('`any`: the score is 1 when one is found. `all`: the score is the share that is found.'),
  exact: z.boolean().default(false).describe('Finds words only as they are written; case does not matter.'),
})

export const keywords: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Looks for words and phrases.',
  settings,
  threshold: 1,
  reach: ({ words, match, exact }, threshold) =>
    match === 'any' || threshold * words.length <= 1 ? reachOfPhrases(words, exact) : 'whole',
  judge({ words, match, exact }) {
    const find = wordFinder(words, { exact })
    return ({ text }) => {
      const found = find(text)
      return {
        score: match === 'any' ? Math.min(1, found.length) : found.length / words.length,
        content: found.length > 0 ? found.join(', ') : null,
      }
    }
  },
}

/** A place where a sentence or a line may end within a phrase. */
const BREAK = /[\s。!?"”’')」』\p{Pd}]+/gu
/** The number of characters at the end of a text that are examined for each word of a phrase. Words are shorter. */
const PER_WORD = 40

/**
 * Makes a function that tells whether a phrase may begin in a text and end in what follows. It may when the text would
 * contain the phrase if the rest of the phrase were added.
 */
function reachOfPhrases(words: readonly string[], exact: boolean): Reach {
  const rests = new Set(words.flatMap(restsOf))
  if (rests.size === 0) return () => false
  const find = wordFinder(words, { exact })
  const longest = longestFind(words) * PER_WORD
  return (text) => {
    const tail = text.replace(/\s+/g, ' ').slice(-longest)
    const held = new Set(find(tail))
    return rests
      .values()
      .some((rest) => find(tail + rest).some((word) => !held.has(word) && !find(rest).includes(word)))
  }
}

function restsOf(phrase: string): string[] {
  const folded = foldText(phrase)
  return Array.from(folded.matchAll(BREAK), ({ index, 0: mark }) => folded.slice(index + mark.length)).filter(
    Boolean,
  )
}
