import { z } from 'zod'
import { plainWords } from '../../language/words/words.ts'
import { countCharacters } from '../../lib/count-characters.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const count = z.int().min(0).max(10_000_000)

const settings = z
  .strictObject({
    min: count.optional(),
    max: count.optional(),
    unit: z.enum(['characters', 'words']).default('characters'),
  })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'needs min or max')
  .refine(({ min = 0, max = min }) => min <= max, 'min must not be above max')

export const length: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Counts characters or words.',
  settings,
  threshold: 1,
  reach: () => 'whole',
  judge:
    ({ min = 0, max = Infinity, unit }) =>
    ({ text }) => {
      const counted = unit === 'words' ? plainWords(text).length : countCharacters(text)
      return { score: counted >= min && counted <= max ? 1 : 0, content: `${counted} ${unit}` }
    },
}
