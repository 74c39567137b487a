import { readPeerJsonOrNull } from '../../../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject, toObjects } from '../../../lib/untrusted-json.ts'
import type { ToolCall } from '../../model.ts'
import { textOf } from '../../parse-answer.ts'
import { LONGEST_STEP } from '../kept-steps.ts'

/** An answer with calls as it was given, and a hash of the conversation before it. */
export interface MessageStep {
  blocks: readonly JsonObject[]
  prefix: string
}

type Keep = (calls: readonly ToolCall[], blocks: readonly JsonObject[]) => void

/** @see https://platform.claude.com/docs/en/api/handling-stop-reasons */
const FINISHED: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** Reads a whole message as a chat completion. */
export function readMessage(message: JsonObject, keep: Keep): JsonObject {
  if (!Array.isArray(message.content)) return {}
  const blocks = toObjects(message.content)
  const textsOf = (type: string, field: string) =>
    blocks.flatMap((block) => (block.type === type ? (textOf(block[field]) ?? []) : []))
  const texts = textsOf('text', 'text')
  const calls = callsOf(blocks)
  keep(calls, blocks)
  return {
    model: message.model,
    usage: usageOf(message.usage),
    choices: [
      {
        index: 0,
        finish_reason: finishOf(message.stop_reason),
        message: {
          content: texts.length > 0 ? texts.join('') : null,
          reasoning_content: textsOf('thinking', 'thinking').join('\n\n'),
          tool_calls: calls,
          annotations: blocks.flatMap(({ citations }) => toObjects(citations).map(annotationOf)),
        },
      },
    ],
  }
}

/**
 * Creates the reader of a stream's events.
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export function readMessageEvents(keep: Keep): (event: JsonObject) => JsonObject[] {
  const blocks: JsonObject[] = []
  let block: Record<string, unknown> = {}
  let input = ''
  let calls = 0
  let model: unknown
  let usage: JsonObject = {}

  const chunk = (delta: object) => [{ model, choices: [{ index: 0, delta }] }]
  const ofCall = (given: object) => chunk({ tool_calls: [{ index: calls - 1, ...given }] })

  function begin(given: JsonObject): JsonObject[] {
    block = { ...given }
    input = ''
    if (given.type === 'text') return given.text ? chunk({ content: given.text }) : []
    if (given.type !== 'tool_use') return []
    calls++
    return ofCall({ id: given.id, type: 'function', function: { name: given.name, arguments: '' } })
  }

  function goOn(delta: JsonObject): JsonObject[] {
    switch (delta.type) {
      case 'text_delta':
        extend('text', delta.text)
        return chunk({ content: delta.text })
      case 'thinking_delta':
        extend('thinking', delta.thinking)
        return chunk({ reasoning_content: delta.thinking })
      case 'signature_delta':
        extend('signature', delta.signature)
        return []
      case 'input_json_delta': {
        const json = textOf(delta.partial_json) ?? ''
        // A step that is too long to be kept is not gathered further.
        if (input.length <= LONGEST_STEP) input += json
        return block.type === 'tool_use' && json !== '' ? ofCall({ function: { arguments: json } }) : []
      }
      case 'citations_delta':
        return isObject(delta.citation) ? chunk({ annotations: [annotationOf(delta.citation)] }) : []
    }
    return []
  }

  /** Adds to a field of the block. One that is too long to be kept need not grow further. */
  function extend(field: string, text: unknown): void {
    const before = textOf(block[field]) ?? ''
    if (before.length <= LONGEST_STEP) block[field] = before + (textOf(text) ?? '')
  }

  function endBlock(): JsonObject[] {
    const isCall = block.type === 'tool_use'
    const given = isCall && input === '' ? JSON.stringify(block.input ?? {}) : ''
    if (input !== '') block.input = readPeerJsonOrNull(input) ?? {}
    blocks.push(block)
    return given === '' ? [] : ofCall({ function: { arguments: given } })
  }

  function end({ delta, usage: used }: JsonObject): JsonObject[] {
    usage = { ...usage, ...known(used) }
    const reason = isObject(delta) ? delta.stop_reason : null
    if (typeof reason !== 'string') return []
    keep(callsOf(blocks), blocks)
    const finish_reason = finishOf(reason)
    return [{ model, choices: [{ index: 0, delta: {}, finish_reason }], usage: usageOf(usage) }]
  }

  return (event) => {
    switch (event.type) {
      case 'message_start': {
        const { message } = event
        if (isObject(message)) {
          model = message.model
          usage = known(message.usage)
        }
        return []
      }
      case 'content_block_start':
        return isObject(event.content_block) ? begin(event.content_block) : []
      case 'content_block_delta':
        return isObject(event.delta) ? goOn(event.delta) : []
      case 'content_block_stop':
        return endBlock()
      case 'message_delta':
        return end(event)
    }
    // `ping` and `message_stop` say nothing, and there may be others.
    return []
  }
}

function callsOf(blocks: readonly JsonObject[]): ToolCall[] {
  return blocks.flatMap(({ type, id, name, input }) =>
    type === 'tool_use'
      ? {
          id: textOf(id) ?? '',
          type: 'function' as const,
          function: { name: textOf(name) ?? '', arguments: JSON.stringify(input ?? {}) },
        }
      : [],
  )
}

function finishOf(reason: unknown): string | null {
  return typeof reason === 'string' ? (FINISHED[reason] ?? reason) : null
}

/** All that was read counts, whether it came from the cache or was put into it. */
function usageOf(used: unknown): JsonObject | null {
  if (!isObject(used)) return null
  const count = (name: string) => (typeof used[name] === 'number' ? used[name] : 0)
  const { output_tokens_details: details } = used
  return {
    prompt_tokens:
      count('input_tokens') + count('cache_read_input_tokens') + count('cache_creation_input_tokens'),
    completion_tokens: count('output_tokens'),
    prompt_tokens_details: { cached_tokens: count('cache_read_input_tokens') },
    ...(isObject(details)
      ? { completion_tokens_details: { reasoning_tokens: details.thinking_tokens } }
      : {}),
  }
}

/** The counts that are there: later events repeat some as null. */
function known(used: unknown): JsonObject {
  return Object.fromEntries(Object.entries(isObject(used) ? used : {}).filter(([, value]) => value !== null))
}

function annotationOf({ url, title, document_title, cited_text }: JsonObject): JsonObject {
  return { type: 'url_citation', url_citation: { url, title: title ?? document_title, content: cited_text } }
}
