import { z } from 'zod'
import { invalidField } from '../../errors.ts'
import { boundedText } from '../../http/schemas.ts'
import { pathId } from '../../transcripts/conversations/schemas.ts'
import { newMessages, type Prompt } from '../prompt.ts'
import { promptFields, readPromptFields } from '../requests/prompt-fields.ts'
import { inputItem, messagesOf } from './input.ts'

const functionTool = z.looseObject({
  type: z.literal(
    'function',
    "must be function: OpenAI's own tools are not here. The agent searches its documents and calls its own tools by itself",
  ),
  name: z.string().min(1).max(256),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
})

const toolChoice = z.union([
  z.looseObject({
    type: z.literal('function', 'must be function'),
    name: z.string().max(256),
  }),
  z.enum(['none', 'auto', 'required']),
])

const textFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string().max(256),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
])

/** Additions to an answer that a request may ask for, because they never occur. Log probabilities are not offered. */
const included = z.enum([
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'web_search_call.results',
])

/** A field that clients may send, but only as null. */
const never = z.null('is not offered here').optional()

/**
 * The body of `POST /responses`: OpenAI's fields as far as they are offered, and those that say where the prompt
 * belongs.
 */
export const responsesRequest = z
  .strictObject({
    input: z.union([z.string(), z.array(inputItem).min(1).max(10_000)]),
    instructions: z
      .string()
      .nullish()
      .describe("For this answer only, behind the agent's own instructions. Not stored."),
    previous_response_id: boundedText(64)
      .nullish()
      .describe('The latest response of a conversation: the prompt goes on with it.'),
    conversation: z
      .union([z.uuid(), z.looseObject({ id: z.uuid() })])
      .nullish()
      .describe('The same as `conversation_id`.'),
    tools: z.array(functionTool).max(128).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    text: z.strictObject({ format: textFormat.nullish(), verbosity: boundedText(32).nullish() }).nullish(),
    reasoning: z
      .strictObject({
        effort: boundedText(32).nullish(),
        summary: boundedText(32).nullish().describe('Without effect: thoughts are not answered.'),
        generate_summary: boundedText(32).nullish(),
      })
      .nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.strictObject({ include_obfuscation: z.boolean().nullish() }).nullish(),
    model: boundedText(200)
      .nullish()
      .describe('Taken for compatibility: the agent decides which model answers.'),
    safety_identifier: pathId.nullish().describe('The same as `user`, which goes before it.'),
    store: z.boolean().nullish().describe('Taken for compatibility: every prompt is stored.'),
    truncation: z
      .enum(['auto', 'disabled'])
      .nullish()
      .describe('Taken for compatibility: the oldest turns that do not fit are left out.'),
    include: z.array(included).nullish(),
    service_tier: boundedText(64).nullish(),
    prompt_cache_key: boundedText(256).nullish(),
    prompt_cache_retention: boundedText(64).nullish(),
    background: z.literal(false, 'must be false: nothing is answered in the background').nullish(),
    top_logprobs: z.literal(0, 'must be 0: log probabilities are not offered').nullish(),
    max_tool_calls: never,
    prompt: never,
    ...promptFields,
  })
  .meta({ id: 'ResponseRequest' })

export type ResponsesRequest = z.output<typeof responsesRequest>

/**
 * Reads a checked request.
 * @throws ApiError invalid_request when a field contradicts another, or a field inside `metadata` is not valid
 */
export function readResponsesPrompt(request: ResponsesRequest): Prompt {
  const { conversation, previous_response_id, safety_identifier, instructions } = request
  const fields = readPromptFields({
    ...request,
    user: request.user ?? safety_identifier,
    conversation_id:
      request.conversation_id ?? (typeof conversation === 'string' ? conversation : conversation?.id),
  })
  const follows = previous_response_id ?? null
  if (follows !== null && (fields.conversationId !== null || fields.externalId !== null))
    throw invalidField('previous_response_id', 'must not be sent with the id of a conversation')
  const messages = messagesOf(request.input)
  if (newMessages(messages).length === 0)
    throw invalidField('input', 'there is no prompt after the last item of the assistant')
  return {
    ...fields,
    follows,
    instructions: instructions ?? null,
    messages,
    parameters: parametersOf(request),
  }
}

/** Returns what goes through to the model server, in the terms of chat completions. */
function parametersOf({
  tools,
  tool_choice,
  max_output_tokens,
  text,
  reasoning,
  parallel_tool_calls,
  temperature,
  top_p,
  service_tier,
  prompt_cache_key,
  prompt_cache_retention,
}: ResponsesRequest): Record<string, unknown> {
  const parameters = {
    parallel_tool_calls,
    temperature,
    top_p,
    service_tier,
    prompt_cache_key,
    prompt_cache_retention,
    max_completion_tokens: max_output_tokens,
    reasoning_effort: reasoning?.effort,
    verbosity: text?.verbosity,
    response_format: text?.format && responseFormat(text.format),
    tools: tools?.map(({ type, name, description, parameters, strict }) => ({
      type,
      function: withoutEmpty({ name, description, parameters, strict }),
    })),
    tool_choice:
      typeof tool_choice === 'object' && tool_choice !== null
        ? { type: 'function', function: { name: tool_choice.name } }
        : tool_choice,
  }
  return withoutEmpty(parameters)
}

function responseFormat(format: z.output<typeof textFormat>): Record<string, unknown> | undefined {
  if (format.type === 'text') return undefined
  if (format.type !== 'json_schema') return { type: format.type }
  const { name, schema, description, strict } = format
  return { type: 'json_schema', json_schema: withoutEmpty({ name, schema, description, strict }) }
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
}
