import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { foldText } from '../../lib/find-words.ts'
import { longestFind, wordFinder } from '../../lib/word-finder.ts'
import type { EvaluatorKind } from '../evaluator.ts'

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
  longestFind: ({ words }) => longestFind(words),
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
