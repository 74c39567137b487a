import { createHash } from 'node:crypto'
import type { MessageContent, ModelMessage, ToolCall } from './model.ts'
import { partsOf } from './parts-of.ts'
import { textOfContent } from './text-of-content.ts'

/** Stands in for the user where somebody else speaks first: templates want the user to begin. */
const OPENED = '(The user has opened the conversation.)'
/** Ends rounds of calls after which the model did not answer. */
const UNFINISHED = 'I could not finish this.'
/** Ids of calls that all templates take: some of Mistral's take no others. */
const SHORT_ID = /^[A-Za-z0-9]{9}$/

/**
 * Puts messages into an order that the chat templates of common models take: one system message at the front, then user
 * and assistant in turn, the user first; calls one by one, each with its result behind it. What was said stays, except
 * for calls without results and results without calls.
 */
export function inRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const rules = messages.filter(isSystem).map(({ content }) => textOfContent(content))
  const system = rules.filter((text) => text.trim() !== '').join('\n\n')
  const others = messages.filter((message) => !isSystem(message))
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...withWholeCalls(others).reduce<ModelMessage[]>(addInTurn, []).flatMap(oneCallEach),
  ].map(withShortIds)
}

/**
 * Moves the system message to the beginning of what the user says first, for templates without this role.
 * @param messages in roles
 */
export function withoutSystem([first, user, ...others]: readonly ModelMessage[]): ModelMessage[] {
  if (first?.role !== 'system' || !user)
    return [first, user, ...others].filter((message) => message !== undefined)
  return [{ ...user, content: joined(first.content, user.content) }, ...others]
}

/** Puts a text before what somebody says. */
export function joined(before: MessageContent, content: MessageContent): MessageContent {
  if (!Array.isArray(before) && !Array.isArray(content)) return [before, content].filter(Boolean).join('\n\n')
  return [...partsOf(before), ...partsOf(content)]
}

function addInTurn(said: ModelMessage[], message: ModelMessage): ModelMessage[] {
  const last = said.at(-1)
  if (!last && message.role !== 'user') return addInTurn([{ role: 'user', content: OPENED }], message)
  if (message.role === 'user' && last?.role === 'tool') said.push({ role: 'assistant', content: UNFINISHED })
  const continues = last?.role === message.role && message.role !== 'tool' && !last.tool_calls
  if (last && continues) said[said.length - 1] = together(last, message)
  else said.push(message)
  return said
}

function together(before: ModelMessage, { content, ...message }: ModelMessage): ModelMessage {
  const isOwnAgain = message.role === 'assistant' && isMarked(before) && !isMarked({ ...message, content })
  const said = isOwnAgain && content?.length ? own(content) : content
  return { ...before, ...message, content: joined(before.content, said) }
}

/** Marks the assistant's own words behind those of a person or the service, in one message. */
const OWN = '[Assistant]'

function own(content: MessageContent): MessageContent {
  return typeof content === 'string' ? `${OWN} ${content}` : joined(OWN, content)
}

const MARK = /(?:^|\n\n)\[(Person|Notice|Assistant)\b[^\]]*\]/g

/** Tells whether a message ends with the words of a person or the service. */
function isMarked({ content }: ModelMessage): boolean {
  const last = [...textOfContent(content).matchAll(MARK)].at(-1)
  return last !== undefined && last[1] !== 'Assistant'
}

/** Splits parallel calls: some templates take one call a message. */
function oneCallEach(message: ModelMessage, at: number, all: readonly ModelMessage[]): ModelMessage[] {
  if (message.role === 'tool') return []
  const { tool_calls = [], ...said } = message
  if (tool_calls.length === 0) return [said]
  const results = resultsFrom(all, at + 1)
  return tool_calls.flatMap((call, place) => [
    { ...said, content: place === 0 ? said.content : null, tool_calls: [call] },
    results.get(call.id) as ModelMessage,
  ])
}

/** Leaves out calls without results and results without calls, which model servers refuse. */
function withWholeCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  const answers = new Set<ModelMessage | undefined>()
  return messages.flatMap((message, at) => {
    if (message.role === 'tool') return answers.has(message) ? [message] : []
    const { tool_calls, ...said } = message
    if (!tool_calls?.length) return [said]
    const results = resultsFrom(messages, at + 1)
    if (!tool_calls.every(({ id }) => results.has(id))) return said.content?.length ? [said] : []
    for (const { id } of tool_calls) answers.add(results.get(id))
    return [message]
  })
}

/**
 * Returns the results from a position on, by the ids of their calls. The newest result of a call counts, because clients
 * repeat results after a failure.
 */
function resultsFrom(
  messages: readonly ModelMessage[],
  start: number,
): Map<string | undefined, ModelMessage> {
  const end = messages.findIndex(({ role }, at) => at >= start && role !== 'tool')
  const results = messages.slice(start, end < 0 ? messages.length : end)
  return new Map(results.map((result) => [result.tool_call_id, result]))
}

function withShortIds(message: ModelMessage): ModelMessage {
  const { tool_calls, tool_call_id } = message
  return {
    ...message,
    ...(tool_calls
      ? { tool_calls: tool_calls.map((call): ToolCall => ({ ...call, id: shortId(call.id) })) }
      : {}),
    ...(tool_call_id === undefined ? {} : { tool_call_id: shortId(tool_call_id) }),
  }
}

/** Returns the id under which a call stands in messages that are in roles. */
export function shortId(id: string): string {
  return SHORT_ID.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function isSystem({ role }: ModelMessage): boolean {
  return role === 'system'
}
