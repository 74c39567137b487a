import { randomHex } from '../../../lib/ids.ts'
import { isObject, type JsonObject, toObjects } from '../../../lib/untrusted-json.ts'
import type { ToolCall } from '../../model.ts'
import { textOf } from '../../parse-answer.ts'
import { LONGEST_STEP } from '../kept-steps.ts'

type Keep = (calls: readonly ToolCall[], parts: readonly JsonObject[]) => void

/** @see https://ai.google.dev/api/generate-content#FinishReason */
const FILTERED = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** Reads a whole response as a chat completion. */
export function readContent(response: JsonObject, keep: Keep): JsonObject {
  const { parts, finish_reason, annotations } = firstOf(response)
  if (parts === null) return {}
  const said = parts.map(readPart)
  const texts = said.flatMap(({ text }) => text ?? [])
  const calls = said.flatMap(({ call }) => call ?? [])
  keep(calls, withoutThoughts(parts))
  return {
    model: response.modelVersion,
    usage: usageOf(response.usageMetadata),
    choices: [
      {
        index: 0,
        finish_reason: withCalls(finish_reason, calls.length),
        message: {
          content: texts.length > 0 ? texts.join('') : null,
          reasoning_content: said.flatMap(({ thought }) => thought ?? []).join(''),
          tool_calls: calls,
          annotations,
        },
      },
    ],
  }
}

/** Creates the reader of a stream: each event is a response with the parts that are new. */
export function readContentEvents(keep: Keep): {
  chunks: (event: JsonObject) => JsonObject[]
  rest: () => JsonObject[]
} {
  const kept: JsonObject[] = []
  const calls: ToolCall[] = []
  let size = 0
  let usage: JsonObject | null = null

  function deltasOf(part: JsonObject): object[] {
    const { text, thought, call } = readPart(part)
    if (call) return [{ tool_calls: [{ index: calls.push(call) - 1, ...call }] }]
    if (thought !== undefined) return [{ reasoning_content: thought }]
    return text === undefined ? [] : [{ content: text }]
  }

  return {
    chunks(event) {
      usage = usageOf(event.usageMetadata) ?? usage
      const { parts, finish_reason, annotations } = firstOf(event)
      if (parts === null) return []
      for (const part of withoutThoughts(parts)) {
        size += JSON.stringify(part).length
        if (size <= LONGEST_STEP) kept.push(part)
      }
      const deltas = parts.flatMap(deltasOf)
      if (finish_reason !== null && size <= LONGEST_STEP) keep(calls, kept)
      const choices: JsonObject[] = deltas.map((delta) => ({ delta }))
      if (annotations.length > 0) choices.push({ delta: { annotations } })
      if (finish_reason !== null)
        choices.push({ delta: {}, finish_reason: withCalls(finish_reason, calls.length) })
      return choices.map((choice) => ({ model: event.modelVersion, choices: [{ index: 0, ...choice }] }))
    },
    // Older models say with each event that they have finished, so that only the end of the stream is the end.
    rest: () => (usage ? [{ choices: [], usage }] : []),
  }
}

/** Reads the first candidate. `parts` is null when there is none, and the prompt was not refused either. */
function firstOf({ candidates, promptFeedback }: JsonObject): {
  parts: JsonObject[] | null
  finish_reason: string | null
  annotations: JsonObject[]
} {
  const candidate = toObjects(candidates).find(({ index = 0 }) => index === 0)
  if (!candidate) {
    const isRefused = isObject(promptFeedback) && typeof promptFeedback.blockReason === 'string'
    return {
      parts: isRefused ? [] : null,
      finish_reason: isRefused ? 'content_filter' : null,
      annotations: [],
    }
  }
  const { content, finishReason, groundingMetadata } = candidate
  const found = isObject(groundingMetadata) ? toObjects(groundingMetadata.groundingChunks) : []
  return {
    parts: isObject(content) ? toObjects(content.parts) : [],
    finish_reason: finishOf(finishReason),
    annotations: found.flatMap(({ web }) =>
      isObject(web) ? { type: 'url_citation', url_citation: { url: web.uri, title: web.title } } : [],
    ),
  }
}

/** Reads a part: a text, a thought or a call. Calls without an id get one. */
function readPart({ text, thought, functionCall }: JsonObject): {
  text?: string
  thought?: string
  call?: ToolCall
} {
  if (isObject(functionCall)) {
    const { id, name, args } = functionCall
    return {
      call: {
        id: textOf(id) || randomHex(5).slice(0, 9),
        type: 'function',
        function: { name: textOf(name) ?? '', arguments: JSON.stringify(args ?? {}) },
      },
    }
  }
  const said = textOf(text)
  if (said === null) return {}
  return thought === true ? { thought: said } : { text: said }
}

/** The parts that the server wants to read again: no empty ones, and no summaries of thoughts, which are for people. */
function withoutThoughts(parts: readonly JsonObject[]): JsonObject[] {
  return parts.filter(
    ({ thought, text, thoughtSignature }) => thought !== true && (text !== '' || thoughtSignature),
  )
}

function finishOf(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason === 'FINISH_REASON_UNSPECIFIED') return null
  if (reason === 'MAX_TOKENS') return 'length'
  return FILTERED.has(reason) ? 'content_filter' : 'stop'
}

function withCalls(reason: string | null, calls: number): string | null {
  return reason === 'stop' && calls > 0 ? 'tool_calls' : reason
}

function usageOf(used: unknown): JsonObject | null {
  if (!isObject(used)) return null
  const count = (name: string) => (typeof used[name] === 'number' ? used[name] : 0)
  const thoughts = count('thoughtsTokenCount')
  return {
    prompt_tokens: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    completion_tokens: count('candidatesTokenCount') + thoughts,
    prompt_tokens_details: { cached_tokens: count('cachedContentTokenCount') },
    completion_tokens_details: { reasoning_tokens: thoughts },
  }
}
