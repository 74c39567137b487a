import { z } from 'zod'
import { boundedText } from '../http/schemas.ts'
import { TOOL_NAME } from '../tools/tool.ts'
import type { CaseTextRow } from './tables.ts'

const text = boundedText(2000).min(1)

export const caseMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: boundedText(20_000).min(1),
})

export const expectation = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('contains'), value: text }),
    z.strictObject({ kind: z.literal('not_contains'), value: text }),
    z.strictObject({ kind: z.literal('cites'), value: text }),
    z.strictObject({ kind: z.literal('evaluator'), value: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
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

export type CaseMessage = z.output<typeof caseMessage>
/** A requirement that an answer must meet. */
export type Expectation = z.output<typeof expectation>
/** The answer of a tool in a run, in which no tool is called. */
export type ToolResult = z.output<typeof toolResult>

/** The content of a case. */
export interface CaseParts {
  messages: CaseMessage[]
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
  { messages, expectations, tool_results }: CaseParts,
  sourceOf: (messageAt: number | null) => string | null,
): CaseText[] {
  const text = (part: CaseText['part'], content: unknown, completion_id: string | null) => ({
    part,
    content: JSON.stringify(content),
    completion_id,
  })
  return [
    ...messages.map(({ role, content }, at) => text(role, content, sourceOf(at))),
    ...expectations.map((one) => text('expectation', one, sourceOf(null))),
    ...tool_results.map((one) => text('tool_result', one, sourceOf(null))),
  ]
}

/** Turns rows into the parts of a case. Leaves out a scrubbed expectation or result, which has lost its form. */
export function toParts(rows: readonly Pick<CaseTextRow, 'part' | 'content'>[]): CaseParts {
  const parts: CaseParts = { messages: [], expectations: [], tool_results: [] }
  for (const { part, content } of rows) {
    const value: unknown = JSON.parse(content)
    if (part === 'expectation') parts.expectations.push(...read(expectation, value))
    else if (part === 'tool_result') parts.tool_results.push(...read(toolResult, value))
    else parts.messages.push({ role: part, content: String(value) })
  }
  return parts
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema>[] {
  const { data, success } = schema.safeParse(value)
  return success ? [data] : []
}
