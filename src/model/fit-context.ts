import { estimateMessage, estimateTokens } from './estimate-tokens.ts'
import { joined } from './in-roles.ts'
import type { ModelMessage } from './model.ts'

/** The parts of a request to a model, in the order in which it reads them. */
export interface ContextParts {
  /** Never left out. */
  instructions: ModelMessage[]
  /**
   * Passages of documents, which follow `ahead`, best first. Those that do not fit are left out, the last one first.
   */
  ahead: string[]
  /** Passages of documents, which follow it, best first. Those that do not fit are left out, the last one first. */
  passages: string[]
  /** A summary of what was said before the history. Left out when it does not fit. */
  summary: ModelMessage | null
  /** The conversation so far, oldest message first. */
  history: ModelMessage[]
  /** The current prompt. Never left out. */
  prompt: ModelMessage[]
}

export interface FittedContext {
  messages: ModelMessage[]
  /** An estimate by `estimateMessage`. */
  tokens: number
  /** The number of passages that fitted. */
  passages: number
  /** True if turns of the history were left out. */
  isCut: boolean
}

/**
 * Puts together what is sent to a model, and leaves out the oldest turns when not all of them fit. A turn is kept or
 * dropped as a whole, so that no tool call loses its result. System messages always stay, and so does the turn whose
 * calls the prompt answers.
 * @param room tokens, by the same estimate
 */
export function fitContext(
  { instructions, ahead, passages, summary, history, prompt }: ContextParts,
  room: number,
): FittedContext {
  const turns = turnsOf(history)
  const first = firstNeeded(turns, prompt)
  const needed = turns.slice(first)
  let tokens =
    sum(instructions) +
    sum(prompt) +
    sum(needed.flat()) +
    sum(turns.slice(0, first).flat().filter(isSystem)) +
    estimateTokens(ahead.join(''))
  const costs = passages.map(estimateTokens)
  let fitting = 0
  for (const cost of costs) {
    if (tokens + cost > room) break
    tokens += cost
    fitting++
  }
  const hasSummary = summary !== null && tokens + estimateMessage(summary) <= room
  if (hasSummary) tokens += estimateMessage(summary)
  let from = first
  while (from > 0) {
    const cost = sum((turns[from - 1] as ModelMessage[]).filter((message) => !isSystem(message)))
    if (tokens + cost > room) break
    tokens += cost
    from--
  }
  const kept = turns.flatMap((turn, at) => (at < from ? turn.filter(isSystem) : turn))
  const said = withAhead([...kept, ...prompt], [...ahead, ...passages.slice(0, fitting)].join('\n\n'))
  const messages = [...instructions, ...(hasSummary ? [summary] : []), ...said]
  return { messages, tokens, passages: fitting, isCut: from > 0 }
}

/** Puts a text before the user's last message. */
function withAhead(messages: readonly ModelMessage[], ahead: string): ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  if (ahead === '') return [...messages]
  if (last < 0) return [{ role: 'system', content: ahead }, ...messages]
  return messages.map((message, at) =>
    at === last ? { ...message, content: joined(ahead, message.content) } : message,
  )
}

/** Estimates the number of tokens of a request's tools and answer format. */
export function estimateParameters({ tools, functions, response_format }: Record<string, unknown>): number {
  const described = [tools, functions, response_format].filter((part) => part !== undefined && part !== null)
  return described.reduce<number>((tokens, part) => tokens + estimateTokens(JSON.stringify(part)), 0)
}

/** Splits the history into turns. A turn begins where a user speaks after somebody else. */
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

/**
 * Finds the first turn that must stay, because the prompt begins with results of its calls. Results of rounds stand
 * behind their calls. Ids say nothing else: some servers give the same ones in every turn.
 */
function firstNeeded(turns: readonly ModelMessage[][], prompt: readonly ModelMessage[]): number {
  const rounds = prompt.findIndex(({ role }) => role === 'assistant')
  const answered = new Set(
    prompt
      .slice(0, rounds < 0 ? prompt.length : rounds)
      .flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : [])),
  )
  const at = turns.findLastIndex((turn) =>
    turn.some(({ tool_calls }) => tool_calls?.some(({ id }) => answered.has(id))),
  )
  return at < 0 ? turns.length : at
}

function isSystem({ role }: ModelMessage): boolean {
  return role === 'system'
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((tokens, message) => tokens + estimateMessage(message), 0)
}
