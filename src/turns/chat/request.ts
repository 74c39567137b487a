import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { faultOfPart } from '../../model/file-parts.ts'
import type { ContentPart, MessageContent, ModelMessage, ToolCall } from '../../model/model.ts'
import type { Prompt } from '../prompt.ts'
import { promptFields, readPromptFields } from '../requests/prompt-fields.ts'

const contentPart = z
  .looseObject({ type: z.string(), text: z.string().optional() })
  .superRefine((part, context) => {
    const fault = faultOfPart(part as ContentPart)
    if (fault) context.addIssue({ code: 'custom', path: fault.path, message: fault.why })
  })
const content = z.union([z.string(), z.array(contentPart).max(1000)])

const toolCall = z.looseObject({
  id: z.string().max(256),
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string().max(256), arguments: z.string() }),
})

const functionCall = z.looseObject({ name: z.string().max(200), arguments: z.string() })

/** The roles whose messages need no content. */
const MAY_BE_EMPTY = new Set(['assistant', 'function'])

const message = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: content.nullish(),
    name: boundedText(200).optional(),
    tool_calls: z.array(toolCall).max(128).nullish(),
    function_call: functionCall.nullish().describe('The older form of a tool call.'),
    tool_call_id: boundedText(256).optional(),
  })
  .refine(({ role, content }) => MAY_BE_EMPTY.has(role) || (content ?? null) !== null, {
    path: ['content'],
    error: 'must be there: only messages of the assistant and of functions may have none',
  })

/**
 * The body of `POST /chat/completions`: OpenAI's fields and those that say where the prompt belongs. Other fields go to
 * the model server.
 */
export const chatRequest = z
  .looseObject({
    messages: z.array(message).min(1).max(10_000),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('Taken for compatibility: the agent decides which model answers.'),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    n: z.literal(1, 'must be 1: there is always one choice').nullish(),
    ...promptFields,
  })
  .meta({ id: 'ChatCompletionRequest' })

type ChatRequest = z.output<typeof chatRequest>

/**
 * Reads a checked request. A field at the top goes before the same field in `metadata`.
 * @throws ApiError invalid_request when a field inside `metadata` is not valid
 */
export function readPrompt(request: ChatRequest): Prompt {
  const {
    messages,
    model: _model,
    stream: _stream,
    stream_options: _options,
    n: _n,
    user,
    metadata,
    conversation_id,
    external_id,
    tags,
    device_id,
    session_id,
    page_url,
    store: _store,
    ...parameters
  } = request
  const fields = { user, metadata, conversation_id, external_id, tags, device_id, session_id, page_url }
  return { ...readPromptFields(fields), messages: messages.map(toModelMessage), parameters }
}

/** All model servers know `system` and `tool`; not all know OpenAI's newer `developer` and older `function`. */
const MODEL_ROLES = { developer: 'system', function: 'tool' } as const

function toModelMessage(message: ChatRequest['messages'][number]): ModelMessage {
  const { role, name, function_call, tool_calls = [] } = message
  const isOlder = role === 'function'
  const calls = function_call
    ? [{ id: functionCallId(function_call.name), type: 'function' as const, function: function_call }]
    : tool_calls
  const tool_call_id = isOlder ? functionCallId(name ?? '') : message.tool_call_id
  return {
    role: role === 'developer' || role === 'function' ? MODEL_ROLES[role] : role,
    content: (message.content ?? null) as MessageContent,
    ...(calls?.length ? { tool_calls: calls as ToolCall[] } : {}),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(name === undefined || isOlder ? {} : { name }),
  }
}

/** The id that joins a call in OpenAI's older form to its result. They have only the function's name in common. */
function functionCallId(name: string): string {
  return `call_${name}`
}
