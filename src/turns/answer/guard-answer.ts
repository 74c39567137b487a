import type { ModelAnswer } from '../../model/model.ts'
import { withRefusal } from '../../model/refusal-part.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { guardWhole } from '../../rules/guard-stream.ts'
import type { TurnRules } from '../../rules/turn-rules.ts'

/** Lets guardrails look at an answer, and reduces it to what they looked at: no thoughts, and no parts without text. */
export async function guardAnswer(rules: TurnRules, answer: ModelAnswer): Promise<ModelAnswer> {
  const { content } = answer
  const judged = { ...answer, content: Array.isArray(content) ? textOfContent(content) || null : content }
  const said = textOfContent(withRefusal(judged))
  if (said === '') return judged
  const { text, isBlocked } = await guardWhole(rules, said)
  if (isBlocked) return { ...refusal(answer.model, text), usage: answer.usage }
  if (text === said) return judged
  // If the answer had both a text and a refusal, they are one text now.
  return judged.content ? { ...judged, content: text, refusal: null } : { ...judged, refusal: text }
}

/** A guardrail's reply as an answer. */
export function refusal(model: string, content: string): ModelAnswer {
  const nothing = { tool_calls: [], refusal: null, usage: null, citations: [] }
  return { ...nothing, content, finish_reason: 'content_filter', model }
}
