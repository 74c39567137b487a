import { z } from 'zod'
import { detectLanguage } from '../../language/detect-language.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z.strictObject({
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/, 'must be an ISO 639 code such as en'))
    .min(1)
    .max(50),
})

/**
 * The score of a text that is too short to tell its language, between that of a listed and that of another language.
 */
const UNSURE = 0.5

export const language: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary:
    'Detects the language: 1 when it is listed, 0 when it is another, 0.5 when the text does not tell, which never passes.',
  settings,
  threshold: 0.5,
  reach: () => 'whole',
  judge:
    ({ languages }) =>
    ({ text }) => {
      const detected = detectLanguage(text)
      if (detected === null) return { score: UNSURE, content: null, isUnsure: true }
      return { score: languages.includes(detected) ? 1 : 0, content: detected }
    },
}
