import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { linearPattern } from '../../lib/linear-pattern/linear-pattern.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z
  .strictObject({
    pattern: boundedText(1000)
      .min(1)
      .describe("JavaScript's syntax without look-arounds and back-references: it runs in linear time."),
    ignore_case: z.boolean().default(true),
  })
  .superRefine(({ pattern, ignore_case }, context) => {
    try {
      linearPattern(pattern, { ignoreCase: ignore_case })
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['pattern'], message: (error as Error).message })
    }
  })

const LONGEST_QUOTE = 200

export const regex: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Matches a regular expression.',
  settings,
  threshold: 1,
  reach: ({ pattern, ignore_case }) => linearPattern(pattern, { ignoreCase: ignore_case }).isOpen,
  judge({ pattern, ignore_case }) {
    const compiled = linearPattern(pattern, { ignoreCase: ignore_case })
    return ({ text }) => {
      const found = compiled.first(text)
      return { score: found === null ? 0 : 1, content: found?.slice(0, LONGEST_QUOTE) ?? null }
    }
  },
}
