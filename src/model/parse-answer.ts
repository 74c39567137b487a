import { type Citation, type ModelAnswer, ModelError, type ToolCall, type Usage } from './model.ts'

/** A chat completion, or a chunk of one, as far as it is read here. Servers leave out or null what they like. */
export interface WireCompletion {
  model?: unknown
  choices?: WireChoice[] | null
  usage?: Usage | null
  error?: unknown
}

export interface WireChoice {
  index?: number | null
  message?: WireMessage | null
  delta?: WireMessage | null
  finish_reason?: string | null
}

export interface WireMessage {
  role?: string
  content?: ModelAnswer['content']
  refusal?: string | null
  tool_calls?: WireToolCall[] | null
  annotations?: WireAnnotation[] | null
  [field: string]: unknown
}

export interface WireToolCall {
  index?: number | null
  id?: string | null
  type?: 'function'
  function?: { name?: string; arguments?: unknown }
}

interface WireAnnotation {
  type?: string
  url_citation?: { title?: string; url?: string; content?: string }
}

/**
 * Reads a model server's JSON answer.
 * @throws ModelError `protocol` for anything but a chat completion with a choice in it
 */
export function parseAnswer(text: string, requestedModel: string): ModelAnswer {
  const completion = parseCompletion(text)
  const choice = firstChoice(completion)
  const message = choice?.message
  if (!message) throw new ModelError('protocol', 'The model server answered without a message')
  const tool_calls = (message.tool_calls ?? []).map(toolCall)
  return {
    content: message.content ?? null,
    tool_calls,
    refusal: message.refusal ?? null,
    finish_reason: choice.finish_reason || (tool_calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: completion.usage ?? null,
    citations: citationsOf(message),
    model: typeof completion.model === 'string' ? completion.model : requestedModel,
  }
}

/** @throws ModelError `protocol` when the text is no JSON object, or tells an error */
export function parseCompletion(text: string): WireCompletion {
  let completion: WireCompletion | null
  try {
    completion = JSON.parse(text)
  } catch {
    throw new ModelError('protocol', 'The model server sent something that is not JSON')
  }
  if (typeof completion !== 'object' || completion === null) {
    throw new ModelError('protocol', 'The model server sent something that is not a chat completion')
  }
  if (completion.error) throw new ModelError('protocol', 'The model server reported an error in its answer')
  return completion
}

/** The choice numbered 0: there is always one choice here, whatever the server sends. */
export function firstChoice({ choices }: WireCompletion): WireChoice | undefined {
  return Array.isArray(choices) ? choices.find((choice) => (choice?.index ?? 0) === 0) : undefined
}

export function citationsOf(message: WireMessage): Citation[] {
  if (!Array.isArray(message.annotations)) return []
  return message.annotations.flatMap(({ url_citation: cited }) =>
    cited
      ? [{ title: cited.title ?? cited.url ?? '', url: cited.url ?? null, snippet: cited.content ?? '' }]
      : [],
  )
}

function toolCall(call: WireToolCall, index: number): ToolCall {
  const given = call.function?.arguments ?? ''
  return {
    // Clients match results to calls by id; some servers give none.
    id: call.id || `call_${index}`,
    type: 'function',
    function: {
      name: call.function?.name ?? '',
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    },
  }
}
