import type { GapReason } from '../../knowledge/unanswered/gap-reasons.ts'
import { tellingness } from '../../language/words/common-words.ts'
import { indexWords } from '../../language/words/words.ts'
import type { ModelAnswer } from '../../model/model.ts'
import type { TurnTools } from '../calls/turn-tools.ts'
import { newMessages } from '../prompt.ts'
import { questionOf } from '../prompt-text.ts'
import type { StartedTurn } from '../turn.ts'

/** The sources of an answer. */
interface Sources {
  /**
   * True if a passage is likely to fit, of those that were searched for or that the model searched for itself; null: none
   * were searched for, because it is small talk or there are no documents.
   */
  fits: boolean | null
  /** True if the answer could name passages. */
  canCite: boolean
  /** The tools that the model could call; null: none. */
  tools: Pick<TurnTools, 'hasCalled'> | null
}

/**
 * Tells why a question has no good answer in an agent's documents; empty when it has one, or when it needs none: tools
 * gave the answer, a guardrail blocked it, or the message has no subject of its own.
 */
export function gapsOfAnswer(
  { messages }: Pick<StartedTurn, 'messages'>,
  { retrieval, citations, finish_reason, tool_calls }: ModelAnswer,
  { fits, canCite, tools }: Sources,
): GapReason[] {
  if (retrieval) return retrieval.answered ? [] : ['unknown']
  if (fits === null || !canCite || citations.length > 0) return []
  if (finish_reason === 'content_filter' || tool_calls.length > 0 || tools?.hasCalled()) return []
  if (newMessages(messages).some(({ role }) => role === 'tool')) return []
  const hasSubject = indexWords(questionOf(messages)).some((word) => tellingness(word) === 1)
  if (!hasSubject) return []
  return [fits ? 'uncited' : 'no_passage']
}
