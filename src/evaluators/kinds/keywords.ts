import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { foldText, holdsWord } from '../../lib/find-words.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z.strictObject({
  words: z
    .array(boundedText(200).refine((word) => foldText(word) !== '', 'must not be empty'))
    .min(1)
    .max(500)
    .describe('Words or phrases; case does not matter, and a word within a longer one is not found.'),
  match: z
    .enum(['any', 'all'])
    .default('any')
    .describe('`any`: the score is 1 when one is found. `all`: the score is the share that is found.'),
})

export const keywords: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Looks for words and phrases.',
  settings,
  threshold: 1,
  judge({ words, match }) {
    const folded = words.map((word) => ({ word, folded: foldText(word) }))
    return ({ text }) => {
      const searched = foldText(text)
      const found = folded.filter(({ folded }) => holdsWord(searched, folded)).map(({ word }) => word)
      return {
        score: match === 'any' ? Math.min(1, found.length) : found.length / words.length,
        content: found.length > 0 ? found.join(', ') : null,
      }
    }
  },
}
