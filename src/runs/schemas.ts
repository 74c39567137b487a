import { z } from 'zod'
import { agentPatch } from '../agents/settings.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { citation } from '../transcripts/completions/schemas.ts'
import { tagsSchema } from '../transcripts/conversations/schemas.ts'
import { caseMessage, expectation, toolResult } from './case.ts'
import { failureCodes } from './failure.ts'
import { runErrors } from './run-errors.ts'

const name = boundedText(200).min(1)

export const newDataset = z.strictObject({ name }).meta({ id: 'NewDataset' })
export const datasetPatch = newDataset.extend({ version: sentVersion }).partial().meta({ id: 'DatasetPatch' })

export const datasetSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    cases: z.int().describe('How many cases it has.'),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Dataset' })

const messages = z
  .array(caseMessage)
  .min(1)
  .max(50)
  .refine((all) => all.at(-1)?.role === 'user', 'must end with a message of the user')
  .describe('What was said before, and the prompt.')
const expectations = z
  .array(expectation)
  .max(20)
  .describe('What must hold of the answer; without any, that there is one.')
const tool_results = z
  .array(toolResult)
  .max(20)
  .describe(
    'What tools answer, since a run calls none. Several of one tool are given in their order, the last again and again.',
  )
const tags = tagsSchema.describe('As if the conversation had them.')

const CASE_LIMIT = 200_000
const isBounded = (given: unknown) => JSON.stringify(given).length <= CASE_LIMIT
const TOO_LARGE = `holds more than ${CASE_LIMIT} characters in all`

/** The body of a request for a new case: with `completion_id`, the case is made of that completion. */
export const newCase = z
  .strictObject({
    completion_id: z
      .string()
      .max(64)
      .optional()
      .describe('Id or number of a completion of which the case is made: in the place of `messages`.'),
    messages: messages.optional(),
    tags: tags.optional(),
    expectations: expectations.optional(),
    tool_results: tool_results.optional(),
  })
  .refine(isBounded, TOO_LARGE)
  .meta({ id: 'NewCase' })

export type NewCase = z.output<typeof newCase>

export const casePatch = z
  .strictObject({ messages, tags, expectations, tool_results, version: sentVersion })
  .partial()
  .refine(isBounded, TOO_LARGE)
  .meta({ id: 'CasePatch' })

export type CasePatch = z.output<typeof casePatch>

export const caseSchema = z
  .object({
    id: z.int(),
    dataset_id: z.int(),
    completion_id: z.string().nullable().describe('The completion that it was made of.'),
    messages: z.array(z.object({ role: caseMessage.shape.role, content: z.string() })),
    tags: z.record(z.string(), z.unknown()),
    expectations: z.array(expectation),
    tool_results: z.array(toolResult),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Case' })

export const newRun = z
  .strictObject({
    dataset_id: z.int().min(1),
    version: z.int().min(1).optional().describe('Number of the version whose settings are used.'),
    settings: agentPatch
      .optional()
      .describe(
        "A patch on the agent's settings, as of `PATCH /agent` but without keys; absent: its present settings.",
      ),
  })
  .meta({ id: 'NewRun' })

export type NewRun = z.output<typeof newRun>

export const runSchema = z
  .object({
    id: z.int(),
    dataset_id: z.int(),
    version: z
      .int()
      .nullable()
      .describe(
        'The version whose settings it has; null: those of a patch, or the agent has no version yet.',
      ),
    status: z.enum(['queued', 'running', 'done', 'failed']),
    error: z.string().nullable().describe('Why the run as a whole failed.'),
    error_code: z.enum(runErrors.codes).nullable().describe('Which `error` it is.'),
    total: z.int().describe('How many cases it has.'),
    passed: z.int(),
    failed: z.int(),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .meta({ id: 'TestRun' })

export type Run = z.output<typeof runSchema>

const failure = z.object({
  expectation: expectation.nullable().describe('Null: the case failed without any.'),
  code: z.enum(failureCodes).nullable().describe('Which `reason` it is; null in results of older versions.'),
  values: z.record(z.string(), z.string()).describe('What the reason names, by its place in it.'),
  reason: z.string().describe('Why, in a sentence in English.'),
})

export const resultSchema = z
  .object({
    case_id: z.int(),
    status: z.enum(['waiting', 'passed', 'failed']),
    prompt: z.string().describe('The last message of the user, up to 1,000 characters.'),
    response: z.string().nullable().describe('What the agent said, up to 8,000 characters.'),
    failures: z.array(failure).describe('Which expectations did not hold, and why.'),
    citations: z.array(citation.pick({ title: true, url: true })),
    tools: z.array(z.object({ name: z.string(), arguments: z.string() })).describe('What the model called.'),
    model: z.string().nullable(),
    ms: z.int().nullable(),
  })
  .meta({ id: 'TestResult' })

export const runWithResults = runSchema
  .extend({
    results: z.array(resultSchema).describe('One a case, in the order of the cases.'),
    against: z.int().optional().describe('The run that it is compared with.'),
    better: z.array(z.int()).optional().describe('Cases that fail there and pass here.'),
    worse: z.array(z.int()).optional().describe('Cases that pass there and fail here.'),
  })
  .meta({ id: 'TestRunWithResults' })

export type RunWithResults = z.output<typeof runWithResults>
