import { isDeepStrictEqual } from 'node:util'
import { readPeerJsonOrNull } from '../../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject, toObjects } from '../../lib/untrusted-json.ts'
import { shortId } from '../in-roles.ts'
import type { MessageContent, ModelMessage, ToolCall } from '../model.ts'
import { textOfContent } from '../text-of-content.ts'
import type { KeptStep, KeptSteps } from './kept-steps.ts'

/** Words of one side, said at once, with the calls that it makes and their results. */
export interface Utterance<Said> {
  role: 'user' | 'assistant'
  content: MessageContent
  calls: MadeCall[]
  /** The assistant's answer as its server gave it; null: it is not known any more, or was changed since. */
  asSaid: Said | null
}

export interface MadeCall {
  /** The call, under the server's own id where `asSaid` is known. */
  call: ToolCall
  /** Null: there is none. */
  result: MessageContent
}

/** The text of all system messages; empty if there are none. */
export function systemText(messages: readonly ModelMessage[]): string {
  const system = messages.filter(({ role }) => role === 'system')
  return system.map(({ content }) => textOfContent(content)).join('\n\n')
}

/**
 * Puts each call beside its result, and calls that an answer made together into one again: messages have them one by
 * one, for the sake of chat templates. System messages are left out.
 */
export function utterancesOf<Said>(
  messages: readonly ModelMessage[],
  steps: KeptSteps<Said>,
): Utterance<Said>[] {
  const all: { message: ModelMessage; calls: MadeCall[]; step: KeptStep<Said> | null }[] = []
  for (const message of messages) {
    const { role, content, tool_calls = [], tool_call_id } = message
    const before = all.at(-1)
    if (role === 'system') continue
    if (role === 'tool') {
      const made = before?.calls.find(({ call, result }) => call.id === tool_call_id && result === null)
      if (made) made.result = content
      continue
    }
    const calls = tool_calls.map((call): MadeCall => ({ call, result: null }))
    const step = (tool_calls[0] && steps.of(tool_calls[0].id)) ?? null
    if (step && step === before?.step && !content?.length) before.calls.push(...calls)
    else all.push({ message, calls, step })
  }
  const used = new Set<string>()
  return all.map(({ message: { role, content }, calls, step }) => {
    const said = { role: role === 'assistant' ? ('assistant' as const) : ('user' as const), content }
    if (!step || !isSame(calls, step))
      return { ...said, calls: calls.map((made) => withOwnId(made, used)), asSaid: null }
    const asSaid = calls.map(({ result }, at) => ({ call: step.calls[at] as ToolCall, result }))
    return { ...said, calls: asSaid, asSaid: step.said }
  })
}

/** Gives a call an id that none before it has: other servers number the calls of each answer anew. */
function withOwnId({ call, result }: MadeCall, used: Set<string>): MadeCall {
  const id = used.has(call.id) ? `${call.id}_${used.size}` : call.id
  used.add(id)
  return { call: { ...call, id }, result }
}

/** Tells whether calls are still what the server said: a redaction may have changed them. */
function isSame(calls: readonly MadeCall[], step: KeptStep<unknown>): boolean {
  return (
    calls.length === step.calls.length &&
    calls.every(({ call }, at) => {
      const said = step.calls[at] as ToolCall
      return (
        shortId(call.id) === shortId(said.id) &&
        call.function.name === said.function.name &&
        isDeepStrictEqual(argumentsOf(call), argumentsOf(said))
      )
    })
  )
}

/** The arguments of a call as an object, which some protocols want. What is none is given under a name. */
export function argumentsOf({ function: { arguments: given } }: ToolCall): JsonObject {
  if (given.trim() === '') return {}
  const read = readPeerJsonOrNull(given)
  return isObject(read) ? read : { arguments: given }
}

/** A function that a request offers. */
interface OfferedFunction {
  name: string
  description: string | undefined
  parameters: JsonObject
}

/** The tools that a request offers. */
export interface Offer {
  functions: OfferedFunction[]
  /** Tools that servers run themselves, in the form of their own protocol. */
  others: JsonObject[]
  /** The calls that are wanted: perhaps some, none, at least one, or one of a function. */
  choice: 'auto' | 'none' | 'required' | { name: string }
}

const ANY_OBJECT = { type: 'object', properties: {} }

/**
 * Reads the tools of a request. Where it offers none but messages hold calls, their functions are offered and may not be
 * called: servers refuse calls of functions that they were not told of.
 */
export function offerOf(
  { tools, tool_choice }: JsonObject,
  utterances: readonly Utterance<unknown>[],
): Offer {
  const given = toObjects(tools)
  const functions = given.flatMap(({ function: one }) =>
    isObject(one) && typeof one.name === 'string'
      ? {
          name: one.name,
          description: typeof one.description === 'string' ? one.description : undefined,
          parameters: isObject(one.parameters) ? one.parameters : ANY_OBJECT,
        }
      : [],
  )
  if (given.length > 0)
    return {
      functions,
      others: given.filter((tool) => !isObject(tool.function)),
      choice: choiceOf(tool_choice),
    }
  const called = new Set(utterances.flatMap(({ calls }) => calls.map(({ call }) => call.function.name)))
  const known = [...called].map((name) => ({ name, description: undefined, parameters: ANY_OBJECT }))
  return { functions: known, others: [], choice: 'none' }
}

function choiceOf(given: unknown): Offer['choice'] {
  if (given === 'none' || given === 'required') return given
  const named = isObject(given) && isObject(given.function) ? given.function.name : null
  return typeof named === 'string' ? { name: named } : 'auto'
}

/** The sequences at which an answer ends, of OpenAI's `stop`. */
export function stopsOf({ stop }: JsonObject): string[] | undefined {
  const stops = [stop].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return stops.length > 0 ? stops : undefined
}

/** The JSON schema that an answer must have, of OpenAI's `response_format`; null: it asks for none. */
export function answerSchema({ response_format }: JsonObject): JsonObject | null {
  const { type, json_schema } = isObject(response_format) ? response_format : {}
  const schema = type === 'json_schema' && isObject(json_schema) ? json_schema.schema : null
  return isObject(schema) ? schema : null
}
