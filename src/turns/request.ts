import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { readJson } from '../http/read-json.ts'
import { boundedText, parsePart } from '../http/schemas.ts'
import type { MessageContent, ModelMessage, ToolCall } from '../model/model.ts'
import { externalId, pathId, tagsSchema } from '../transcripts/conversations/schemas.ts'
import { type Writer, writerOfApi } from '../transcripts/users/writer.ts'

const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() })
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

const extensions = {
  conversation_id: z.uuid().nullish().describe('A conversation of this service to go on with.'),
  external_id: pathId
    .nullish()
    .describe(
      'Your own id of a conversation: found or made. Unique in the team; not the UUID of a conversation.',
    ),
  tags: tagsSchema.nullish().describe("Merged into the conversation's tags."),
  device_id: externalId.nullish(),
  session_id: externalId.nullish(),
  page_url: boundedText(2048).nullish().describe('The page on which the prompt was written.'),
}

/** The pairs of `metadata`, which may be the same fields. OpenAI allows only texts there, so `tags` is JSON. */
const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'holds more than 16 pairs')

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
    user: pathId.nullish().describe("The end user's id in your system."),
    metadata: metadata.nullish(),
    ...extensions,
  })
  .meta({ id: 'ChatCompletionRequest' })

export type ChatRequest = z.output<typeof chatRequest>

const metadataExtensions = z.object({
  ...extensions,
  tags: z
    .string()
    .transform((text, context) => {
      try {
        return readJson(Buffer.from(text), 'metadata.tags')
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_json') throw error
        context.addIssue('must be a JSON object')
        return z.NEVER
      }
    })
    .pipe(tagsSchema)
    .optional(),
})

/** A prompt in the form that a turn uses. */
export interface Prompt {
  conversationId: string | null
  externalId: string | null
  /** The channel that the prompt came through; null: the API. */
  channelId: number | null
  /** The widget that the prompt came through. */
  widgetId: number | null
  /** The language of the writer, for texts whose language is not detected; null: not known. */
  language: string | null
  tags: Record<string, unknown> | null
  user: Writer | null
  deviceId: string | null
  sessionId: string | null
  pageUrl: string | null
  messages: ModelMessage[]
  parameters: Record<string, unknown>
  stream: boolean
  includeUsage: boolean
}

/**
 * Reads a checked request. A field at the top goes before the same field in `metadata`.
 * @throws ApiError invalid_request when a field inside `metadata` is not valid
 */
export function readPrompt(request: ChatRequest): Prompt {
  const {
    messages,
    model: _model,
    stream,
    stream_options,
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
  const inMetadata = parsePart(metadataExtensions, metadata ?? {}, 'metadata')
  return {
    conversationId: conversation_id ?? inMetadata.conversation_id ?? null,
    externalId: external_id ?? inMetadata.external_id ?? null,
    channelId: null,
    widgetId: null,
    language: null,
    tags: tags ?? inMetadata.tags ?? null,
    user: user == null ? null : writerOfApi(user),
    deviceId: device_id ?? inMetadata.device_id ?? null,
    sessionId: session_id ?? inMetadata.session_id ?? null,
    pageUrl: page_url ?? inMetadata.page_url ?? null,
    messages: messages.map(toModelMessage),
    parameters,
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
  }
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

/**
 * The prompt among the messages that a client sent: those after the last assistant message. Clients repeat the history
 * of a conversation with every request, but the stored history is used.
 */
export function newMessages(messages: ModelMessage[]): ModelMessage[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
}
