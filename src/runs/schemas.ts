import { z } from 'zod'
import { agentPatch } from '../agents/settings.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { citation } from '../transcripts/citations-and-ctas.ts'
import { tagsSchema } from '../transcripts/conversations/schemas.ts'
import { caseMessage, customer, expectation, toolResult } from './case.ts'
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
const caseCustomer = customer.describe('Somebody who talks with the agent, in place of `messages`.')
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
    customer: caseCustomer.optional(),
    tags: tags.optional(),
    expectations: expectations.optional(),
    tool_results: tool_results.optional(),
  })
  .refine(isBounded, TOO_LARGE)
  .meta({ id: 'NewCase' })

export type NewCase = z.output<typeof newCase>

export const casePatch = z
  .strictObject({
    messages,
    customer: caseCustomer,
    tags,
    expectations,
    tool_results,
    version: sentVersion,
  })
  .partial()
  .refine(isBounded, TOO_LARGE)
  .meta({ id: 'CasePatch' })

export type CasePatch = z.output<typeof casePatch>

export const caseSchema = z
  .object({
    id: z.int(),
    dataset_id: z.int(),
    completion_id: z.string().nullable().describe('The completion that it was made of.'),
    messages: z
      .array(z.object({ role: caseMessage.shape.role, content: z.string() }))
      .describe('Empty for a case with a customer.'),
    customer: caseCustomer.nullable(),
    tags: z.record(z.string(), z.unknown()),
    expectations: z.array(expectation),
    tool_results: z.array(toolResult),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Case' })

/** The most times that a run asks each case. */
export const MOST_REPEATS = 20

export const newRun = z
  .strictObject({
    dataset_id: z.int().min(1),
    repeats: z
      .int()
      .min(1)
      .max(MOST_REPEATS)
      .optional()
      .describe('How often each case is run; absent: once.'),
    cost_limit: z
      .number()
      .positive()
      .optional()
      .describe('What the run may cost by the `prices` of its settings. It fails once it has cost that.'),
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
    passed: z.int().describe('How many cases passed in every repeat.'),
    failed: z.int().describe('How many cases failed in at least one repeat.'),
    repeats: z.int().describe('How often each case is run.'),
    done: z.int().describe('How many answers have ended: at the end as many as cases times repeats.'),
    cost_limit: z.number().nullable(),
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

const used = z.object({
  calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cost: z
    .number()
    .nullable()
    .describe("By the prices of the run's settings; null: no model that was called has one."),
  estimated: z.boolean().describe('Whether a server did not tell the tokens of all calls.'),
})

const usedWithCustomer = used.extend({
  customer: used.nullable().describe('What the model that plays customers used beside it; null: none did.'),
})

const outcome = {
  status: z.enum(['waiting', 'passed', 'failed']),
  response: z.string().nullable().describe('What the agent said last, up to 8,000 characters.'),
  failures: z.array(failure).describe('Which expectations did not hold, and why.'),
  citations: z.array(citation.pick({ title: true, url: true })),
  tools: z.array(z.object({ name: z.string(), arguments: z.string() })).describe('What the model called.'),
  model: z.string().nullable(),
  ms: z.int().nullable(),
  used: usedWithCustomer.nullable().describe('Null: the case waits, or the run is of an older version.'),
  turns: z.int().nullable().describe('How many answers there were.'),
  ranks: z
    .array(z.int().nullable())
    .describe(
      'For each `finds` of the case: the place of the page among those that were found; null: it was not.',
    ),
  documents_changed: z
    .boolean()
    .describe('Whether the documents were not those of the beginning of the run.'),
}

export const resultSchema = z
  .object({
    case_id: z.int(),
    ...outcome,
    status: outcome.status.describe(
      'Failed in any repeat, passed in all of them, or waiting. What stands beside it is of one repeat: the first that failed, or the first.',
    ),
    prompt: z
      .string()
      .describe('The last message of the user, or what the customer wants: up to 1,000 characters.'),
    customer: z.boolean().describe('Whether a customer talks with the agent in it.'),
    passed: z.int().describe('In how many repeats it passed.'),
    ran: z.int().describe('How many repeats have ended.'),
    repeat: z.int().describe('The number of the repeat that stands here.'),
  })
  .meta({ id: 'TestResult' })

/** A case in each repeat of a run. */
export const caseResults = z
  .object({
    case_id: z.int(),
    prompt: z.string(),
    repeats: z.array(
      z.object({
        repeat: z.int(),
        ...outcome,
        dialogue: z
          .array(
            z.object({
              customer: z.string(),
              agent: z.string(),
              tools: z.array(z.string()),
              ms: z.int(),
            }),
          )
          .nullable()
          .describe(
            'What customer and agent said, each up to 4,000 characters; null: the case has no customer.',
          ),
      }),
    ),
  })
  .meta({ id: 'TestCaseResults' })

export type CaseResults = z.output<typeof caseResults>

const share = z.number().min(0).max(1)

const figures = z.object({
  pass_rate: z
    .object({ mean: share, min: share, max: share, deviation: z.number() })
    .nullable()
    .describe(
      'The share of cases that passed, over the repeats that are complete: mean, least, most and standard deviation. Null: none is complete.',
    ),
  flaky: z.array(z.int()).describe('The cases that passed in some repeats and failed in others.'),
  recall: z
    .object({
      expected: z.int().describe('How many pages were expected to be found, over all repeats.'),
      found: share.describe('The share of them that was found.'),
      first_three: share.describe('The share of them that was among the first three.'),
      reciprocal_rank: share.describe(
        'The mean of one divided by the place, with 0 for a page that was not found.',
      ),
    })
    .nullable()
    .describe('Null: no case expects that a page is found.'),
  used: usedWithCustomer
    .nullable()
    .describe('By all answers; null: there is none yet, or the run is of an older version.'),
  times: z
    .object({
      wall_ms: z.int().nullable().describe('From the beginning of the run to its end.'),
      median_ms: z.int().describe('Of a case.'),
      p90_ms: z.int().describe('Nine of ten took no longer.'),
    })
    .nullable()
    .describe('Null: no answer has ended.'),
  documents: z
    .object({ count: z.int(), hash: z.string() })
    .nullable()
    .describe(
      'The documents when the run began: how many, and a hash over all of them. Null: it has not begun, or is of an older version.',
    ),
  documents_changed: z.boolean().describe('Whether they changed during the run.'),
  documents_changed_cases: z.array(z.int()).describe('The cases that were asked with other documents.'),
})

export type Figures = z.output<typeof figures>

const comparison = z.object({
  against: z.int().describe('The run that it is compared with.'),
  better: z.array(z.int()).describe('Cases that pass more often here than there.'),
  worse: z.array(z.int()).describe('Cases that pass less often here than there.'),
  difference: z
    .number()
    .nullable()
    .describe(
      'The mean pass rate of the cases in both runs: here minus there. Null: a run has no complete repeat.',
    ),
  beyond_spread: z
    .boolean()
    .nullable()
    .describe(
      'Whether the difference is more than twice its standard error, as the repeats of both runs tell it. Null: one of them has fewer than two.',
    ),
  same_documents: z
    .boolean()
    .nullable()
    .describe('Whether both runs began with the same documents. Null: one of them does not know.'),
})

export type Comparison = z.output<typeof comparison>

export const runWithResults = runSchema
  .extend(figures.shape)
  .extend({ results: z.array(resultSchema).describe('One a case, in the order of the cases.') })
  .extend(comparison.partial().shape)
  .meta({ id: 'TestRunWithResults' })

export type RunWithResults = z.output<typeof runWithResults>
