import type { RetrievedContext } from '../../knowledge/search/retrieve-context.ts'
import type { AnswerDependencies } from '../answer/answering.ts'
import { questionBefore, questionOf } from '../prompt-text.ts'
import type { StartedTurn } from '../turn.ts'

/**
 * Finds the passages of the agent's documents from which the model can answer; null: there can be none. A question that
 * depends on earlier messages, or is in another language than the documents, may be put into queries first.
 * @param replacement what the model reads in place of what the user wrote; null: what the user wrote
 */
export async function findContext(
  { retrieve, rewrite }: Pick<AnswerDependencies, 'retrieve' | 'rewrite'>,
  { agent, history, messages }: StartedTurn,
  replacement: string | null,
  signal: AbortSignal,
): Promise<RetrievedContext | null> {
  // The prompt of a client that calls tools itself is only their results: the question is the one before them.
  const said = [...history.messages, ...messages]
  const question = questionOf(said)
  const asked = questionBefore(history.messages, messages)
  const context = await retrieve(agent, question, asked)
  if (!context || context.isWhole) return context
  const last = said.findLastIndex(({ role }) => role === 'user')
  const before = replacement === null ? said.slice(0, last) : history.messages
  const rewritten = await rewrite(
    { agent, question: replacement ?? question, before, fits: context.fits },
    signal,
  )
  if (!rewritten || rewritten.queries.length === 0) return context
  const { queries } = rewritten
  return (await retrieve(agent, question, asked, { queries, found: context.found })) ?? context
}
