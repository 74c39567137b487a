import { z } from 'zod'
import { citation, ctaSchema } from '../../transcripts/citations-and-ctas.ts'

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete'])

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(
    z.object({
      type: z.literal('url_citation'),
      url: z.string(),
      title: z.string(),
      start_index: z.int(),
      end_index: z.int(),
    }),
  ),
  logprobs: z.array(z.unknown()).max(0),
})

const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })

const messageItem = z.object({
  type: z.literal('message'),
  id: z.string(),
  status: itemStatus,
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [outputText, refusalPart])),
})

const callItem = z.object({
  type: z.literal('function_call'),
  id: z.string(),
  status: itemStatus,
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
})

/** The answer of `POST /responses` without `stream`: OpenAI's shape and Parley's additions. */
export const responseSchema = z
  .object({
    id: z.string().describe('`resp_` and the UUID of the completion without its dashes.'),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z
      .object({ reason: z.enum(['max_output_tokens', 'content_filter']) })
      .nullable()
      .describe('Null also where the client went away before the answer was complete.'),
    model: z.string(),
    output: z.array(z.discriminatedUnion('type', [messageItem, callItem])),
    usage: z
      .object({
        input_tokens: z.int(),
        input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
        output_tokens: z.int(),
        output_tokens_details: z.object({ reasoning_tokens: z.int() }),
        total_tokens: z.int(),
      })
      .nullable(),
    conversation: z.object({ id: z.string() }),
    background: z.literal(false),
    store: z.literal(true),
    truncation: z.literal('auto'),
    instructions: z.string().nullable().describe('As sent. This and what follows is not stored.'),
    previous_response_id: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    metadata: z.record(z.string(), z.string()),
    parallel_tool_calls: z.boolean(),
    reasoning: z.object({ effort: z.string().nullable(), summary: z.null() }),
    temperature: z.number().nullable(),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
    tools: z.array(z.looseObject({ type: z.string() })),
    top_p: z.number().nullable(),
    conversation_id: z.string(),
    number: z.int().describe('Number of the completion.'),
    agent_paused: z.boolean(),
    citations: z.array(citation),
    ctas: z.array(ctaSchema),
  })
  .meta({ id: 'ResponseAnswer' })

export type ResponseAnswer = z.output<typeof responseSchema>
export type OutputItem = ResponseAnswer['output'][number]
export type MessageItem = z.output<typeof messageItem>
export type CallItem = z.output<typeof callItem>

/** The answer of `POST /responses` with `stream`. */
export const responseStream = z
  .string()
  .describe(
    "OpenAI's events, each with its `type` as the name of the event and a `sequence_number`: `response.created` to " +
      '`response.completed`, `response.incomplete` or `response.failed`, whose `response` is the whole answer. An ' +
      '`error` comes before `response.failed`.',
  )
