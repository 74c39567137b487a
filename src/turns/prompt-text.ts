import type { NamedModel } from '../agents/model-of-agent.ts'
import { asksForPerson } from '../model/asks-for-person.ts'
import { asksForText } from '../model/asks-for-text.ts'
import type { MessageContent, ModelMessage } from '../model/model.ts'
import { askedBefore } from '../model/search-in-context.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { WORDS_OF_FILES } from '../redaction/files-of-message.ts'
import { joinedParameters } from './joined-parameters.ts'
import type { StartedTurn } from './turn.ts'

/** The text of the end user's messages, without other messages that the client sent. */
export function userText(messages: readonly ModelMessage[]): string {
  return messages.flatMap(({ role, content }) => (role === 'user' ? [wordsIn(content)] : [])).join('\n')
}

/** The last thing that the end user wrote; empty when it was only a file. */
export function questionOf(messages: readonly ModelMessage[]): string {
  return wordsIn(messages.findLast(({ role }) => role === 'user')?.content ?? null)
}

/** The text of a content, without the words that stand for files at its beginning. */
export function wordsIn(content: MessageContent): string {
  return textOfContent(content).replace(WORDS_OF_FILES, '')
}

/** The end user's question before the last message; undefined: there is none. */
export function questionBefore(
  history: readonly ModelMessage[],
  messages: readonly ModelMessage[],
): string | undefined {
  const asked = [...history, ...messages].filter(({ role }) => role === 'user')
  return askedBefore(asked.slice(0, -1).map(({ content }) => wordsIn(content)))
}

/**
 * Tells whether the end user asks for a person in a turn. A program that wants JSON asks for none: its prompt may be
 * about somebody else's text.
 * @param parameters request fields of the prompt
 */
export function asksInTurn(
  { agent, history, messages }: StartedTurn,
  { isBuiltIn }: Pick<NamedModel, 'isBuiltIn'>,
  parameters: Record<string, unknown> = {},
): boolean {
  const { model, texts } = agent.settings
  if (!isBuiltIn && !asksForText(joinedParameters(model.parameters, parameters))) return false
  return asksForPerson([...history.messages, ...messages], texts)
}
