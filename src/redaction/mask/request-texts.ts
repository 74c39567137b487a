import { isObject } from '../../lib/untrusted-json.ts'
import { redactContent, redactString } from '../redact-content.ts'
import { redactKey } from '../redact-json.ts'

/** A message as model servers read it. Fields that are not named here may hold anything. */
export interface MaskableMessage {
  role: string
  content: unknown
  name?: string
  tool_call_id?: string
  tool_calls?: readonly { id: string; type: string; function: { name: string } }[]
}

/** The parts of a request to a model server that may hold texts. */
export interface MaskableRequest {
  messages: readonly MaskableMessage[]
  /** The request's other fields. */
  parameters: Record<string, unknown>
}

/** The changes to the texts of a request. */
interface TextChanges {
  text(text: string): string
  /** Changes a name that model servers take only as letters, digits, underscores and hyphens. */
  name(name: string, of: 'person' | 'function'): string
}

/**
 * Changes all texts of a message: its content, a value at a time where that is JSON, the arguments of its calls, names,
 * and fields that nobody knows. Pictures, sounds and files, in which nobody can look, become words.
 */
export function changeMessage(
  { role, tool_call_id, content, name, tool_calls, ...others }: MaskableMessage,
  changes: TextChanges,
): MaskableMessage {
  return {
    role,
    content:
      typeof content === 'string' ? changeString(content, changes) : redactContent(content, changes.text),
    ...(name === undefined ? {} : { name: changes.name(name, 'person') }),
    ...(tool_calls === undefined ? {} : { tool_calls: tool_calls.map((call) => changeCall(call, changes)) }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(redactContent(others, changes.text) as object),
  }
}

/** Matches the mark before a text from outside, such as a passage or the result of a tool, and the passage's number. */
const BEGIN = /^<(\w{1,20}(?: \d{1,3})?) (\w{16})>\n(?:\[\d{1,3}\] )?/gm
/** The most such marks that are looked for in one text. */
const MOST_MARKS = 50

/**
 * Changes a text, and what stands between two marks in it by itself: JSON a value at a time, and a passage as one text,
 * which other conversations are sent in the same words.
 */
function changeString(text: string, changes: TextChanges): string {
  let changed = ''
  let done = 0
  for (const mark of text.matchAll(BEGIN).take(MOST_MARKS)) {
    const start = mark.index + mark[0].length
    const end = text.indexOf(`\n</${mark[1]} ${mark[2]}>`, start)
    if (mark.index < done || end < 0) continue
    const [before, within] = [text.slice(done, start), text.slice(start, end)]
    changed += `${redactString(before, changes.text)}${redactString(within, changes.text)}`
    done = end
  }
  return changed + redactString(text.slice(done), changes.text)
}

function changeCall(
  { id, type, function: { name, ...given }, ...others }: NonNullable<MaskableMessage['tool_calls']>[number],
  { text, name: changeName }: TextChanges,
) {
  const called = { name: changeName(name, 'function'), ...(redactContent(given, text) as object) }
  return { id, type, function: called, ...(redactContent(others, text) as object) }
}

/** Fields with schemas, whose words of the protocol and names of arguments stay. */
const SCHEMAS = new Set(['tools', 'functions', 'tool_choice', 'function_call', 'response_format'])
const WORDS_OF_SCHEMAS = new Set(['name', 'type', 'required', '$ref'])

/** Changes the texts of a request's fields beside its messages. Numbers stay, because they set something. */
export function changeParameters(
  parameters: Record<string, unknown>,
  { text }: TextChanges,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([field, value]) => [field, changeField(value, text, SCHEMAS.has(field))]),
  )
}

function changeField(value: unknown, text: TextChanges['text'], isSchema: boolean): unknown {
  if (typeof value === 'string') return redactContent(value, text)
  if (Array.isArray(value)) return value.map((item) => changeField(item, text, isSchema))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (!isSchema) return [redactKey(key, text), changeField(field, text, false)]
      const isWord = WORDS_OF_SCHEMAS.has(key) && (typeof field === 'string' || Array.isArray(field))
      return [key, isWord ? field : changeField(field, text, true)]
    }),
  )
}
