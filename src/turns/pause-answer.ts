import type { Agent } from '../agents/agent.ts'
import type { ModelAnswer, Usage } from '../model/model.ts'

/**
 * Returns the answer of a paused agent, in place of anything that a model said.
 * @param isBlocked true: its user is blocked, and gets no word
 */
export function pauseAnswer(
  { settings }: Agent,
  model: string,
  usage: Usage | null,
  isBlocked = false,
): ModelAnswer {
  const content = isBlocked ? '' : (settings.pause_message ?? '')
  return { content, tool_calls: [], refusal: null, finish_reason: 'stop', usage, citations: [], model }
}
