import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject, toObjects } from '../lib/untrusted-json.ts'
import {
  type Citation,
  type ContentPart,
  type ModelAnswer,
  ModelError,
  type ToolCall,
  type Usage,
} from './model.ts'
import { readErrorObject } from './server-said.ts'

/**
 * Reads a chat completion.
 * @throws ModelError `protocol` when it has no choice
 */
export function readAnswer(completion: JsonObject, requestedModel: string): ModelAnswer {
  const choice = answeredChoice(completion)
  const { message } = choice
  const tool_calls = toObjects(message.tool_calls).map(toolCall)
  const thoughts = textOf(message.reasoning_content) || textOf(message.reasoning)
  return {
    content: Array.isArray(message.content) ? withoutThoughts(message.content) : textOf(message.content),
    ...(thoughts ? { thoughts } : {}),
    tool_calls,
    refusal: textOf(message.refusal) || null,
    finish_reason: wordOf(choice.finish_reason) || (tool_calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(completion),
    citations: citationsOf(message),
    model: wordOf(completion.model) ?? requestedModel,
  }
}

/** The parts of an answer without those that hold thoughts. */
function withoutThoughts(parts: readonly unknown[]): ContentPart[] {
  return (toObjects(parts) as ContentPart[]).filter(({ type }) => type !== 'thinking' && type !== 'reasoning')
}

/** @throws ModelError `protocol` when the text is not a JSON object, or reports an error */
export function parseCompletion(text: string): JsonObject {
  let completion: unknown
  try {
    completion = readPeerJson(text)
  } catch {
    throw new ModelError('protocol', 'The model server sent something that is not JSON, or too much of it')
  }
  if (!isObject(completion)) {
    throw new ModelError('protocol', 'The model server sent something that is not a chat completion')
  }
  if (completion.error) {
    const said = readErrorObject(completion)
    throw new ModelError('protocol', 'The model server reported an error in its answer', { said })
  }
  return completion
}

/** The choice with index 0. Parley always uses only one choice, however many the server sends. */
export function firstChoice({ choices }: JsonObject): JsonObject | undefined {
  return toObjects(choices).find((choice) => (choice.index ?? 0) === 0)
}

/** Returns the choice with the message. @throws ModelError `protocol` when there is none */
export function answeredChoice(completion: JsonObject): JsonObject & { message: JsonObject } {
  const choice = firstChoice(completion)
  if (!isObject(choice?.message))
    throw new ModelError('protocol', 'The model server answered without a message')
  return { ...choice, message: choice.message }
}

/** Returns a server's token counts; null when it sends none, or zeros: every call has a prompt. Nothing else that it adds is passed on. */
export function usageOf({ usage }: JsonObject): Usage | null {
  if (!isObject(usage)) return null
  const counts = countsOf(usage, COUNTS)
  const {
    prompt_tokens = 0,
    completion_tokens = 0,
    total_tokens = prompt_tokens + completion_tokens,
  } = counts
  if (prompt_tokens === 0) return null
  const known: Usage = { prompt_tokens, completion_tokens, total_tokens }
  for (const name of ['prompt_tokens_details', 'completion_tokens_details'] as const) {
    const details = usage[name]
    if (isObject(details)) known[name] = countsOf(details, DETAILS[name])
  }
  return known
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens']
const DETAILS = {
  prompt_tokens_details: ['cached_tokens', 'audio_tokens'],
  completion_tokens_details: [
    'reasoning_tokens',
    'audio_tokens',
    'accepted_prediction_tokens',
    'rejected_prediction_tokens',
  ],
}

/** Picks the fields of these names that are counts. */
function countsOf(given: JsonObject, names: readonly string[]): Record<string, number> {
  const isCount = (entry: [string, unknown]): entry is [string, number] =>
    Number.isSafeInteger(entry[1]) && (entry[1] as number) >= 0
  return Object.fromEntries(names.map((name): [string, unknown] => [name, given[name]]).filter(isCount))
}

export function citationsOf({ annotations }: JsonObject): Citation[] {
  return toObjects(annotations).flatMap(({ url_citation: cited }) => {
    if (!isObject(cited)) return []
    const url = textOf(cited.url)
    return [{ title: textOf(cited.title) ?? url ?? '', url, snippet: textOf(cited.content) ?? '' }]
  })
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A text that is stored unchanged, except for NUL, which PostgreSQL does not accept. */
export function wordOf(value: unknown): string | null {
  return textOf(value)?.replaceAll('\u0000', '') ?? null
}

function toolCall(call: JsonObject, index: number): ToolCall {
  const asked = isObject(call.function) ? call.function : {}
  return {
    // Clients match results to calls by id, but some servers give none.
    id: textOf(call.id) || `call_${index}`,
    type: 'function',
    function: {
      name: textOf(asked.name) ?? '',
      arguments: textOf(asked.arguments) ?? JSON.stringify(asked.arguments ?? {}),
    },
  }
}
