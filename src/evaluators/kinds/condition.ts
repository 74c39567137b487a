import { z } from 'zod'
import { conditionSchema } from '../../conditions/condition-schema.ts'
import { evaluateCondition } from '../../conditions/evaluate-condition.ts'
import { evaluatorsOf, fieldsOf } from '../../conditions/evaluators-of.ts'
import type { EvaluatorKind } from '../evaluator.ts'

const settings = z.strictObject({
  condition: conditionSchema.superRefine((condition, context) => {
    if (evaluatorsOf(condition).length > 0) {
      context.addIssue("an evaluator's condition cannot ask for the result of another evaluator")
    }
  }),
})

export const condition: EvaluatorKind<typeof settings> = {
  cost: 'cheap',
  summary: 'Checks a condition against the facts of the prompt.',
  settings,
  threshold: 1,
  reach: ({ condition }) => (fieldsOf(condition).includes('response.text') ? 'whole' : () => false),
  fields: ({ condition }) => fieldsOf(condition),
  judge:
    ({ condition }) =>
    ({ facts }) => ({ score: evaluateCondition(condition, facts) ? 1 : 0, content: null }),
}
