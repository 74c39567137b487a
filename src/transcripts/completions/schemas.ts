import { z } from 'zod'
import { listOf, listQuery } from '../../http/paging.ts'
import { boundedText, flag, integerNumber, time, timeFilter } from '../../http/schemas.ts'
import { userFilter } from '../../users/schemas.ts'
import { citation, ctaSchema } from '../citations-and-ctas.ts'
import { externalId, messageSchema } from '../conversations/schemas.ts'

export const usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
})

/** A chat completion as the API returns it. */
export const completionSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    conversation_id: z.string(),
    created_at: time,
    model: z.string(),
    prompt: z.string().nullable(),
    response: z.string().nullable(),
    finish_reason: z.string().nullable().describe('Null while the answer is being made.'),
    messages: z.array(messageSchema),
    liked: z.boolean().nullable(),
    flagged: z.boolean(),
    flag_reason: z.string().nullable(),
    feedback: z.string().nullable(),
    score: z.number().nullable(),
    tags: z.array(z.string()),
    citations: z.array(citation),
    ctas: z.array(ctaSchema),
    automations: z.array(z.object({ id: z.int(), name: z.string(), status: z.string() })),
    evaluations: z.array(
      z.object({
        evaluator: z.object({ id: z.int(), name: z.string() }),
        rule_id: z.int().nullable().describe('The guardrail or CTA that asked.'),
        subject: z.enum(['prompt', 'response']),
        score: z.number().nullable(),
        passed: z.boolean().nullable().describe('Null when the evaluator failed.'),
        content: z.string().nullable(),
      }),
    ),
    usage: usage.nullable(),
    user_id: z.string().nullable(),
    device_id: z.string().nullable(),
    session_id: z.string().nullable(),
    page_url: z.string().nullable(),
    channel_id: z.int().nullable().describe('The channel through which the prompt came; null: none.'),
    language: z.string().nullable().describe('The language of the prompt, if it was recognized.'),
    agent_paused: z.boolean(),
  })
  .meta({ id: 'ChatCompletion' })

export type CompletionAnswer = z.output<typeof completionSchema>

/** A page of completions. */
export const completionList = listOf(completionSchema).extend({
  has_more: z.boolean().describe('Whether there is a next page, for OpenAI clients.'),
})

export const completionsQuery = listQuery.extend({
  limit: listQuery.shape.per_page
    .unwrap()
    .optional()
    .describe('Another name of `per_page`, which OpenAI clients use.'),
  after: boundedText(64)
    .optional()
    .describe('The id of the completion after which the page begins. Then `page` is ignored.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('By time.'),
  conversation_id: externalId.optional().describe('UUID or external id.'),
  user_id: userFilter,
  device_id: externalId.optional(),
  session_id: externalId.optional(),
  channel_id: integerNumber.optional(),
  language: boundedText(16).optional(),
  liked: flag.optional(),
  flagged: flag.optional(),
  min_timestamp: timeFilter.optional(),
  max_timestamp: timeFilter.optional(),
})

export const likeBody = z.strictObject({ liked: z.boolean().nullable() })
export const flagBody = z.strictObject({ flagged: z.boolean(), reason: boundedText(10_000).nullish() })
export const feedbackBody = z.strictObject({
  feedback: boundedText(10_000),
  score: z.number().min(-1_000_000).max(1_000_000).nullish(),
})
export const clickBody = z.strictObject({
  kind: z.enum(['referral', 'cta', 'attribution', 'footer']),
  target: boundedText(2048).min(1).describe('What was clicked: an address or an id.'),
})

export const traceSchema = z
  .object({
    trace_id: z.string().nullable().describe('32 hex characters; null: no longer kept.'),
    span_id: z.string().nullable(),
  })
  .meta({ id: 'Trace' })

/** Describes the id of a completion in a path. */
export const COMPLETION_NAMED = 'Numeric id or UUID of the chat completion, or the id of its response.'
