import { z } from 'zod'
import { boundedText, rowIdField } from '../http/schemas.ts'
import { TOOL_NAME } from '../tools/tool.ts'
import type { CaseTextRow } from './tables.ts'

const text = boundedText(2000).min(1)

export const caseMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: boundedText(20_000).min(1),
})

const answer = z
  .enum(['any', 'last'])
  .optional()
  .describe('Of a conversation with a customer: any of the answers, as when absent, or only the last one.')

/** The most messages that a customer writes. */
export const MOST_TURNS = 10

export const expectation = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('contains'), value: text, answer }),
    z.strictObject({ kind: z.literal('not_contains'), value: text, answer }),
    z.strictObject({ kind: z.literal('cites'), value: text }),
    z.strictObject({
      kind: z.literal('finds'),
      value: text.describe('The title, address or source of a document.'),
      heading: boundedText(500).min(1).optional().describe('A part of the headings above the passage.'),
    }),
    z.strictObject({ kind: z.literal('asked_person'), value: z.boolean().default(true) }),
    z.strictObject({
      kind: z.literal('turns'),
      value: z.int().min(1).max(MOST_TURNS).describe('The most messages until the customer is done.'),
    }),
    z.strictObject({ kind: z.literal('evaluator'), value: rowIdField }),
    z.strictObject({ kind: z.literal('tool'), value: z.string().regex(TOOL_NAME, 'must name a tool') }),
    z.strictObject({ kind: z.literal('abstains'), value: z.boolean().default(true) }),
  ])
  .meta({ id: 'Expectation' })

const RESULT_LIMIT = 32_000

export const toolResult = z
  .strictObject({
    name: z.string().regex(TOOL_NAME, 'must name a tool'),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((given) => JSON.stringify(given).length <= 10_000, 'is too large')
      .optional()
      .describe('Arguments that the call must have, beside others; absent: any.'),
    result: boundedText(RESULT_LIMIT).describe('What the model reads.'),
  })
  .meta({ id: 'ToolResult' })

const fact = boundedText(500)

export const customer = z
  .strictObject({
    goal: text.optional().describe('What the customer wants. Needed with `model`.'),
    facts: z
      .record(boundedText(100).min(1), fact)
      .refine((given) => Object.keys(given).length <= 20, 'has more than 20 facts')
      .optional()
      .describe('What the customer knows and tells when it is asked for.'),
    says: z
      .array(text)
      .min(1)
      .max(MOST_TURNS)
      .optional()
      .describe("The customer's messages, each sent after the answer to the one before."),
    model: z
      .literal(true)
      .optional()
      .describe('In place of `says`: a model plays the customer, until it is done or has no turn left.'),
    turns: z
      .int()
      .min(1)
      .max(MOST_TURNS)
      .optional()
      .describe('The most messages of the customer; absent: all of `says`, or 5.'),
  })
  .refine(
    ({ says, model }) => (says === undefined) !== (model === undefined),
    'needs either `says` or `model`',
  )
  .refine(({ goal, model }) => !model || goal !== undefined, 'needs a `goal` for the model')
  .meta({ id: 'Customer' })

type CaseMessage = z.output<typeof caseMessage>
/** A requirement that an answer must meet. */
export type Expectation = z.output<typeof expectation>
/** Somebody who talks with the agent in a run, with fixed messages or played by a model. */
export type Customer = z.output<typeof customer>
/** The answer of a tool in a run, in which no tool is called. */
export type ToolResult = z.output<typeof toolResult>

/** The content of a case. */
export interface CaseParts {
  /** Empty for a case with a customer. */
  messages: CaseMessage[]
  customer: Customer | null
  expectations: Expectation[]
  tool_results: ToolResult[]
}

/** A text of a case, and the completion that it comes from. */
export type CaseText = Pick<CaseTextRow, 'part' | 'content' | 'completion_id'>

/**
 * Turns the parts of a case into rows.
 * @param sourceOf returns the completion that the message at a place comes from; for null, that of all other parts
 */
export function toTexts(
  { messages, customer, expectations, tool_results }: CaseParts,
  sourceOf: (messageAt: number | null) => string | null,
): CaseText[] {
  const text = (part: CaseText['part'], content: unknown, completion_id: string | null) => ({
    part,
    content: JSON.stringify(content),
    completion_id,
  })
  return [
    ...messages.map(({ role, content }, at) => text(role, content, sourceOf(at))),
    ...(customer ? [text('customer', customer, sourceOf(null))] : []),
    ...expectations.map((one) => text('expectation', one, sourceOf(null))),
    ...tool_results.map((one) => text('tool_result', one, sourceOf(null))),
  ]
}

/** Turns rows into the parts of a case. Leaves out scrubbed ones that are no messages, which have lost their form. */
export function toParts(rows: readonly Pick<CaseTextRow, 'part' | 'content'>[]): CaseParts {
  const parts: CaseParts = { messages: [], customer: null, expectations: [], tool_results: [] }
  for (const { part, content } of rows) {
    const value: unknown = JSON.parse(content)
    if (part === 'expectation') parts.expectations.push(...read(expectation, value))
    else if (part === 'tool_result') parts.tool_results.push(...read(toolResult, value))
    else if (part === 'customer') parts.customer = read(customer, value)[0] ?? null
    else parts.messages.push({ role: part, content: String(value) })
  }
  return parts
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema>[] {
  const { data, success } = schema.safeParse(value)
  return success ? [data] : []
}
