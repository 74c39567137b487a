import {
  type Citation,
  type ContentPart,
  type ModelAnswer,
  ModelError,
  type ToolCall,
  type Usage,
} from './model.ts'
import { readErrorObject } from './server-said.ts'

/** What a server sends is not trusted: each field is checked before it is used. */
export type Wire = Record<string, unknown>

/**
 * Reads a model server's JSON answer.
 * @throws ModelError `protocol` for anything but a chat completion with a choice
 */
export function parseAnswer(text: string, requestedModel: string): ModelAnswer {
  const completion = parseCompletion(text)
  const choice = firstChoice(completion)
  if (!isObject(choice?.message))
    throw new ModelError('protocol', 'The model server answered without a message')
  const { message } = choice
  const tool_calls = objects(message.tool_calls).map(toolCall)
  return {
    content: Array.isArray(message.content)
      ? (objects(message.content) as ContentPart[])
      : textOf(message.content),
    tool_calls,
    refusal: textOf(message.refusal) || null,
    finish_reason: wordOf(choice.finish_reason) || (tool_calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(completion),
    citations: citationsOf(message),
    model: wordOf(completion.model) ?? requestedModel,
  }
}

/** @throws ModelError `protocol` when the text is not a JSON object, or reports an error */
export function parseCompletion(text: string): Wire {
  let completion: unknown
  try {
    completion = JSON.parse(text)
  } catch {
    throw new ModelError('protocol', 'The model server sent something that is not JSON')
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
export function firstChoice({ choices }: Wire): Wire | undefined {
  return objects(choices).find((choice) => (choice.index ?? 0) === 0)
}

export function usageOf({ usage }: Wire): Usage | null {
  return isObject(usage) ? (usage as Usage) : null
}

export function citationsOf({ annotations }: Wire): Citation[] {
  return objects(annotations).flatMap(({ url_citation: cited }) => {
    if (!isObject(cited)) return []
    const url = textOf(cited.url)
    return [{ title: textOf(cited.title) ?? url ?? '', url, snippet: textOf(cited.content) ?? '' }]
  })
}

export function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in a list; an empty list when the value is not a list. */
export function objects(value: unknown): Wire[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A text that is stored unchanged, except for NUL, which PostgreSQL does not accept. */
export function wordOf(value: unknown): string | null {
  return textOf(value)?.replaceAll('\u0000', '') ?? null
}

function toolCall(call: Wire, index: number): ToolCall {
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
