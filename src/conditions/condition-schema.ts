import { z } from 'zod'
import { checkCondition } from './check-condition.ts'
import { type Condition, operators } from './condition.ts'
import { fields } from './fields.ts'

const reference = { $ref: '#/components/schemas/Condition' }
const list = { type: 'array', items: reference }
const scalar = { type: ['string', 'number', 'boolean'] }
const fieldList = Object.entries(fields).map(([field, { meaning }]) => `\`${field}\` (${meaning})`)

/**
 * A condition in a request. `checkCondition` reads it: unlike a zod schema, it accepts any depth and says plainly what
 * is wrong.
 */
export const conditionSchema = z
  .custom<Condition>()
  .superRefine((value, context) => {
    const flaw = checkCondition(value)
    if (flaw) context.addIssue({ code: 'custom', continue: false, ...flaw })
  })
  .meta({
    id: 'Condition',
    description: [
      'A tree of `all`, `any` and `not` over comparisons.',
      `Fields: ${fieldList.join(', ')}, \`tags.<name>\`, \`evaluator.<id>.score\`, \`evaluator.<id>.passed\`.`,
    ].join(' '),
    anyOf: [
      part({ all: list }),
      part({ any: { ...list, minItems: 1 } }),
      part({ not: reference }),
      {
        ...part({ field: { type: 'string' }, op: { type: 'string', enum: [...operators] } }),
        properties: {
          field: { type: 'string' },
          op: { type: 'string', enum: [...operators] },
          value: { anyOf: [scalar, { type: 'array', items: scalar }] },
        },
      },
    ],
  })

function part(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
