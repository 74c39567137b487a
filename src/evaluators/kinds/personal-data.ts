import { z } from 'zod'
import { redactionTypes } from '../../redaction/redactor.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const known = new Set(redactionTypes.map(({ type }) => type))

const settings = z
  .strictObject({
    types: z
      .array(
        z.string().refine((type) => known.has(type), 'there is no such type; the documentation lists them'),
      )
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('Types of personal data to look for; null: all.'),
  })
  .prefault({})

export const personalData: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Looks for personal data as redaction does: 1 when there is any. Tells the types, not the data.',
  settings,
  threshold: 1,
  // Text around a value matters: a name that was introduced is found everywhere, and words around a number tell what it
  // is.
  reach: () => 'whole',
  judge({ types }, { redactionWork }) {
    return async ({ text, agent }) => {
      const found = await redactionWork.run(agent.teamId, 'typesIn', text, { types })
      return { score: Math.min(1, found.length), content: found.length > 0 ? found.join(', ') : null }
    }
  },
}
