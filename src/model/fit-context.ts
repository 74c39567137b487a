import { estimateMessage, estimateTokens } from './estimate-tokens.ts'
import type { ModelMessage } from './model.ts'

/** What a model is to be sent, in the order in which it reads it. */
export interface ContextParts {
  /** Never left out. */
  instructions: ModelMessage[]
  /** Passages of documents; left out when they do not fit beside instructions and prompt. */
  passages: ModelMessage | null
  /** What was said before, oldest first. */
  history: ModelMessage[]
  /** What is asked now. Never left out. */
  prompt: ModelMessage[]
}

export interface FittedContext {
  messages: ModelMessage[]
  /** Roughly, by `estimateMessage`. */
  tokens: number
  hasPassages: boolean
}

/**
 * Puts together what is sent to a model and leaves out what does not fit: oldest turns first. A turn stays whole, so
 * that no tool call loses its result; the one whose calls the prompt answers stays, and so do system messages.
 * @param room tokens, by the same estimate
 */
export function fitContext(
  { instructions, passages, history, prompt }: ContextParts,
  room: number,
): FittedContext {
  const turns = turnsOf(history)
  const first = firstNeeded(turns, prompt)
  const needed = turns.slice(first)
  let tokens =
    sum(instructions) + sum(prompt) + sum(needed.flat()) + sum(turns.slice(0, first).flat().filter(isSystem))
  const hasPassages = passages !== null && tokens + estimateMessage(passages) <= room
  if (hasPassages) tokens += estimateMessage(passages)
  let from = first
  while (from > 0) {
    const cost = sum((turns[from - 1] as ModelMessage[]).filter((message) => !isSystem(message)))
    if (tokens + cost > room) break
    tokens += cost
    from--
  }
  const kept = turns.flatMap((turn, at) => (at < from ? turn.filter(isSystem) : turn))
  const messages = [...instructions, ...(hasPassages ? [passages] : []), ...kept, ...prompt]
  return { messages, tokens, hasPassages }
}

/** How many tokens the tools and the form of an answer that a request asks for take. */
export function estimateParameters({ tools, functions, response_format }: Record<string, unknown>): number {
  const described = [tools, functions, response_format].filter((part) => part !== undefined && part !== null)
  return described.reduce<number>((tokens, part) => tokens + estimateTokens(JSON.stringify(part)), 0)
}

/** A turn begins where a user speaks after anybody else. */
function turnsOf(history: readonly ModelMessage[]): ModelMessage[][] {
  const turns: ModelMessage[][] = []
  let last: ModelMessage | undefined
  for (const message of history) {
    if (turns.length === 0 || (message.role === 'user' && last?.role !== 'user')) turns.push([])
    turns.at(-1)?.push(message)
    last = message
  }
  return turns
}

/** From which turn on all are needed, since the prompt holds results of calls that were made in it. */
function firstNeeded(turns: readonly ModelMessage[][], prompt: readonly ModelMessage[]): number {
  const answered = new Set(
    prompt.flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : [])),
  )
  const at = turns.findIndex((turn) =>
    turn.some(({ tool_calls }) => tool_calls?.some(({ id }) => answered.has(id))),
  )
  return at < 0 || answered.size === 0 ? turns.length : at
}

function isSystem({ role }: ModelMessage): boolean {
  return role === 'system'
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((tokens, message) => tokens + estimateMessage(message), 0)
}
