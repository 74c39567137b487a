import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject } from '../lib/untrusted-json.ts'

/** A call of a tool that a model wrote into its text. */
export interface RawCall {
  name: string
  /** JSON text. */
  arguments: string
}

/**
 * The marks before and behind calls that models write and their server does not read; null: the text ends with the
 * call. In this order: Qwen, Hermes and GLM; Llama; Mistral; Llama; Phi and Granite; DeepSeek; Kimi.
 */
export const CALL_MARKS: readonly (readonly [begin: string, end: string | null])[] = [
  ['<tool_call>', '</tool_call>'],
  ['<function=', '</function>'],
  ['[TOOL_CALLS]', null],
  ['<|python_tag|>', null],
  ['<|tool_call|>', '<|/tool_call|>'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
]

/** The longest text that is read, so that no pattern takes long. */
const LONGEST = 16 * 1024
/** `<function=name>` with its parameters as tags, as Qwen's coders write them, or as JSON. */
const FUNCTION = /<function=([\w.-]+)>(.*?)(?:<\/function>|$)/gs
const PARAMETER = /<parameter=([\w.-]+)>\n?(.*?)\n?<\/parameter>/gs
/** A name on a line, and its arguments as pairs of tags, as GLM writes them. */
const PAIRS = /^([\w.-]+)\s*<arg_key>/
const PAIR = /<arg_key>(.*?)<\/arg_key>\s*<arg_value>(.*?)<\/arg_value>/gs
/** A name and JSON: Mistral's `name[ARGS]{…}`, DeepSeek's `function<｜tool▁sep｜>name` and a fence, Kimi's `functions.name:0`. */
const NAMED =
  /(?<![\w.-])(?:functions\.)?([\w.-]+?)(?::\d+)?\s*(?:\[ARGS\]|<\|tool_call_argument_begin\|>)?\s*(?:```json\s*)?(\{.*?\})\s*(?:```|<|\[|$)/gs

/** Reads the calls of a text that stands between two of the marks. @returns none when it holds nothing of the kind */
export function rawCalls(text: string): RawCall[] {
  const body = text.trim()
  if (body.length > LONGEST) return []
  const functions = [...body.matchAll(FUNCTION)]
  if (functions.length > 0)
    return functions.flatMap(([, name = '', inner = '']) =>
      called(name, readPeerJsonOrNull(inner) ?? pairs(inner, PARAMETER)),
    )
  const listed = readPeerJsonOrNull(body) ?? body.split('\n').map((line) => readPeerJsonOrNull(line))
  const calls = (Array.isArray(listed) ? listed : [listed]).flatMap(fromJson)
  if (calls.length > 0) return calls
  const name = PAIRS.exec(body)?.[1]
  if (name) return called(name, pairs(body, PAIR))
  return [...body.matchAll(NAMED)].flatMap(([, name = '', json = '']) =>
    called(name, readPeerJsonOrNull(json)),
  )
}

function fromJson(call: unknown): RawCall[] {
  if (!isObject(call) || typeof call.name !== 'string') return []
  return called(call.name, call.arguments ?? call.parameters ?? {})
}

function called(name: string, args: unknown): RawCall[] {
  const given = typeof args === 'string' ? readPeerJsonOrNull(args) : args
  return isObject(given) ? [{ name, arguments: JSON.stringify(given) }] : []
}

function pairs(text: string, pair: RegExp): JsonObject {
  return Object.fromEntries(
    [...text.matchAll(pair)].map(([, name = '', value = '']) => [name, readPeerJsonOrNull(value) ?? value]),
  )
}
