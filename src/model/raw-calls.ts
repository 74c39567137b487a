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

/** The longest text that is read. The patterns take time in proportion to it: models may repeat anything. */
const LONGEST = 16 * 1024
/** `<function=name>` with its parameters as tags, as Qwen's coders write them, or as JSON. */
const FUNCTION = /<function=([\w.-]+)>(.*?)(?:<\/function>|$)/gs
const PARAMETER: Pair = { begin: /<parameter=([\w.-]+)>\n?(.*?)\n?$/s, end: '</parameter>' }
/** A name on a line, and its arguments as pairs of tags, as GLM writes them. */
const NAME_OF_PAIRS = /^([\w.-]+)\s*<arg_key>/
const ARGUMENT: Pair = { begin: /<arg_key>([^<]*)<\/arg_key>\s*<arg_value>(.*)$/s, end: '</arg_value>' }
/**
 * The name before JSON: Mistral's `name[ARGS]{…}`, DeepSeek's `function<｜tool▁sep｜>name` and a fence, Kimi's
 * `functions.name:0`.
 */
const NAME =
  /(?<![\w.-])(?:functions\.)?([\w.-]+?)(?::\d+)?\s*(?:(?:\[ARGS\]|<\|tool_call_argument_begin\|>)\s*)?(?:```json\s*)?(?=\{)/g
/** A string of JSON, also one that does not end, or a brace outside of strings. */
const STRING_OR_BRACE = /"(?:[^"\\]|\\.?)*"?|[{}]/gs

/** The form of a name and its value: the value ends at the first `end`, before which `begin` finds both. */
interface Pair {
  begin: RegExp
  end: string
}

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
  const name = NAME_OF_PAIRS.exec(body)?.[1]
  return name ? called(name, pairs(body, ARGUMENT)) : namedObjects(body)
}

/** Reads objects of JSON that stand behind names. */
function namedObjects(text: string): RawCall[] {
  const calls: RawCall[] = []
  let end = 0
  for (const { 0: head, 1: name = '', index } of text.matchAll(NAME)) {
    const begin = index + head.length
    // What looks like a name and an object within an object is part of it.
    if (begin < end) continue
    end = endOfObject(text, begin)
    calls.push(...called(name, readPeerJsonOrNull(text.slice(begin, end))))
  }
  return calls
}

/** Returns the place behind the object that begins at a place: the end of the text if the object does not end. */
function endOfObject(text: string, begin: number): number {
  let depth = 0
  for (const { 0: found, index } of text.slice(begin).matchAll(STRING_OR_BRACE)) {
    if (found === '{') depth++
    else if (found === '}' && --depth === 0) return begin + index + 1
  }
  return text.length
}

function fromJson(call: unknown): RawCall[] {
  if (!isObject(call) || typeof call.name !== 'string') return []
  return called(call.name, call.arguments ?? call.parameters ?? {})
}

function called(name: string, args: unknown): RawCall[] {
  const given = typeof args === 'string' ? readPeerJsonOrNull(args) : args
  return isObject(given) ? [{ name, arguments: JSON.stringify(given) }] : []
}

function pairs(text: string, { begin, end }: Pair): JsonObject {
  const found = text.split(end).slice(0, -1)
  return Object.fromEntries(
    found.flatMap((part) => {
      const [, name, value = ''] = begin.exec(part) ?? []
      return name === undefined ? [] : [[name, readPeerJsonOrNull(value) ?? value]]
    }),
  )
}
