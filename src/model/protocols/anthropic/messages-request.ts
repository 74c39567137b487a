import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '../../../lib/untrusted-json.ts'
import type { MessageContent, ModelRequest, ToolCall } from '../../model.ts'
import type { KeptSteps } from '../kept-steps.ts'
import { type Part, partsOf, unsendable } from '../parts.ts'
import {
  answerSchema,
  argumentsOf,
  type Offer,
  offerOf,
  stopsOf,
  systemText,
  type Utterance,
  utterancesOf,
} from '../utterances.ts'
import type { MessageStep } from './message-answer.ts'

interface Turn {
  role: 'user' | 'assistant'
  content: JsonObject[]
}

/** The length of an answer when nobody sets one: Anthropic asks for it, and every model can write as much. */
const USUAL_LENGTH = 4096
const CACHED = { cache_control: { type: 'ephemeral' } }
const IMAGE = /^image\/(?:jpeg|png|gif|webp)$/
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']

/**
 * Translates a request. What Anthropic has no counterpart for is left out; its own fields `thinking`, `top_k` and
 * `output_config` pass unchanged.
 * @returns the body, and a hash of the conversation's beginning
 * @see https://platform.claude.com/docs/en/api/messages/create
 */
export function messagesRequest(
  { model, messages, parameters }: ModelRequest,
  steps: KeptSteps<MessageStep>,
): { body: JsonObject; prefix: () => string } {
  const utterances = utterancesOf(messages, steps)
  const system = systemText(messages)
  const offer = offerOf(parameters, utterances)
  const tools = [...offer.functions.map(toolOf), ...offer.others]
  const prefixOf = (turns: readonly Turn[]) => hashOf([system, tools, turns])
  const turns = turnsOf(utterances, prefixOf)
  const thinking = mayThink(parameters.thinking, turns, offer) ? parameters.thinking : undefined
  return {
    body: {
      model,
      max_tokens: lengthOf(parameters, thinking),
      ...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system, ...CACHED }] }),
      messages: cached(turns),
      ...(tools.length === 0 ? {} : { tools, tool_choice: choiceOf(offer, parameters) }),
      ...outputOf(parameters),
      temperature: warmth(parameters.temperature),
      top_p: parameters.top_p,
      top_k: parameters.top_k,
      stop_sequences: stopsOf(parameters),
      thinking,
    },
    prefix: () => prefixOf(turns),
  }
}

/** Puts all that is said into turns of user and assistant; results of calls begin the user's turn. */
function turnsOf(
  utterances: readonly Utterance<MessageStep>[],
  prefixOf: (turns: readonly Turn[]) => string,
): Turn[] {
  const turns: Turn[] = []
  const add = (role: Turn['role'], content: JsonObject[]) => {
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  for (const { role, content, calls, asSaid } of utterances) {
    if (role === 'user') add(role, blocksOf(content))
    else {
      add(
        role,
        asSaid
          ? blocksAgain(asSaid, prefixOf(turns))
          : [...blocksOf(content), ...calls.map(({ call }) => callOf(call))],
      )
      add(
        'user',
        calls.map(({ call, result }) => resultOf(call.id, result)),
      )
    }
  }
  return turns.length > 0 ? turns : [{ role: 'user', content: [{ type: 'text', text: '(empty)' }] }]
}

/**
 * Returns the assistant's blocks unchanged. Thoughts are signed together with everything before them, and the server
 * refuses them after anything else.
 * @see https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function blocksAgain({ blocks, prefix }: MessageStep, present: string): JsonObject[] {
  return blocks.filter((block) => (prefix === present || !isThought(block)) && block.text !== '')
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/**
 * Tells whether the model may be asked to think. With `enabled` thoughts, no call can be forced, and an answer that
 * goes on after results must have begun with thoughts.
 * @see https://platform.claude.com/docs/en/build-with-claude/thinking-tool-workflows
 */
function mayThink(thinking: unknown, turns: readonly Turn[], { choice }: Offer): boolean {
  if (!isObject(thinking) || thinking.type !== 'enabled') return true
  if (choice === 'required' || typeof choice === 'object') return false
  const goesOn = turns.at(-1)?.content[0]?.type === 'tool_result'
  const [begun] = turns.at(-2)?.content ?? []
  return !goesOn || (begun !== undefined && isThought(begun))
}

/**
 * Marks where the server's cache may end: before the user's newest message, which the next request words differently,
 * and after tool results, which stay the same.
 */
function cached(turns: readonly Turn[]): Turn[] {
  const isResult = (block: JsonObject | undefined) => block?.type === 'tool_result'
  const newest = turns.findLastIndex(({ role, content }) => role === 'user' && !content.every(isResult))
  return turns.map((turn, at) => {
    const isStable = at === newest - 1 || (at === turns.length - 1 && isResult(turn.content.at(-1)))
    if (!isStable) return turn
    return { ...turn, content: [...turn.content.slice(0, -1), { ...turn.content.at(-1), ...CACHED }] }
  })
}

function blocksOf(content: MessageContent): JsonObject[] {
  return partsOf(content).map(blockOf)
}

function blockOf(part: Part): JsonObject {
  if ('text' in part) return { type: 'text', text: part.text }
  const source = { type: 'base64', media_type: part.type, data: part.data }
  if (IMAGE.test(part.type)) return { type: 'image', source }
  if (part.type === 'application/pdf') return { type: 'document', source }
  return { type: 'text', ...unsendable(part.type) }
}

function callOf(call: ToolCall): JsonObject {
  return { type: 'tool_use', id: call.id, name: call.function.name, input: argumentsOf(call) }
}

function resultOf(tool_use_id: string, result: MessageContent): JsonObject {
  const content = blocksOf(result)
  return { type: 'tool_result', tool_use_id, ...(content.length > 0 ? { content } : {}) }
}

function toolOf({ name, description, parameters }: Offer['functions'][number]): JsonObject {
  return { name, description, input_schema: { ...parameters, type: 'object' } }
}

function choiceOf({ choice }: Offer, { parallel_tool_calls }: JsonObject): JsonObject {
  const type = choice === 'required' ? 'any' : typeof choice === 'object' ? 'tool' : choice
  return {
    type,
    ...(typeof choice === 'object' ? choice : {}),
    ...(parallel_tool_calls === false && type !== 'none' ? { disable_parallel_tool_use: true } : {}),
  }
}

function lengthOf({ max_completion_tokens, max_tokens }: JsonObject, thinking: unknown): unknown {
  const budget = isObject(thinking) && typeof thinking.budget_tokens === 'number' ? thinking.budget_tokens : 0
  return max_completion_tokens ?? max_tokens ?? USUAL_LENGTH + budget
}

/** OpenAI's temperature goes to 2, Anthropic's to 1. */
function warmth(temperature: unknown): unknown {
  return typeof temperature === 'number' ? Math.min(temperature, 1) : undefined
}

function outputOf(parameters: JsonObject): JsonObject {
  const schema = answerSchema(parameters)
  const effort = EFFORTS.find((one) => one === parameters.reasoning_effort)
  const output = {
    ...(effort ? { effort } : {}),
    ...(schema ? { format: { type: 'json_schema', schema } } : {}),
    ...(isObject(parameters.output_config) ? parameters.output_config : {}),
  }
  return Object.keys(output).length > 0 ? { output_config: output } : {}
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
