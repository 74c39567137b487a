import type { AnswerDependencies, Answering, Made } from './answer/answering.ts'
import { refusal } from './answer/guard-answer.ts'
import { isUnread, seesPictures } from './files/reads-files.ts'
import { pauseAnswer } from './pause-answer.ts'

/** The result of a look at a prompt: an answer already, or the text that the model reads in place of the user's. */
type Guarded = { made: Made } | { made: null; replacement: string | null }

/**
 * Looks at a prompt before its model is asked: an agent that has used up its budget does not answer, one that was sent
 * only files it cannot read says so, and guardrails may answer themselves or replace the user's text.
 * @throws ModelError, AbortError
 */
export async function guardPrompt(
  { isSpent }: Pick<AnswerDependencies, 'isSpent'>,
  { turn, named, rules, signal }: Answering,
): Promise<Guarded> {
  const { agent, conversationId, completionId } = turn
  const unasked = { retrievalScore: 0, gaps: [], saidAt: null, isCut: false }
  if (agent.settings.budget && !named.isBuiltIn) {
    const spent = await isSpent({ agent, conversationId, completionId })
    if (spent) return { made: { ...unasked, answer: pauseAnswer(agent, named.name, null), isSpent: true } }
  }
  const { unsupported_message } = agent.settings
  if (unsupported_message !== null && isUnread(turn, seesPictures(named, agent))) {
    // The client may have gone away while the files were fetched and written down.
    signal.throwIfAborted()
    const answer = { ...pauseAnswer(agent, named.name, null), content: unsupported_message }
    return { made: { ...unasked, answer, isSpent: false } }
  }
  const guarded = await rules?.guardPrompt()
  if (guarded && 'reply' in guarded)
    return { made: { ...unasked, answer: refusal(named.name, guarded.reply), isSpent: false } }
  return { made: null, replacement: guarded?.replacement ?? null }
}
