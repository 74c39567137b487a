import { type Agent, readAgent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import { ApiError } from '../errors.ts'
import type { CallKind } from '../model/call-kinds.ts'
import { ModelError } from '../model/model.ts'
import { maskingConversation } from '../privacy/mask/masking-conversation.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { AnswerDependencies } from '../turns/answer/answering.ts'
import { failureInWords } from '../turns/failure-in-words.ts'
import type { TurnDependencies } from '../turns/turn-dependencies.ts'

/** The purposes for which models are asked by people of the team. */
export type CopilotKind = Extract<CallKind, 'suggestion' | 'handoff_summary' | 'translation'>

/** The dependencies of what models write for people. */
export interface CopilotDependencies extends AnswerDependencies, Pick<TurnDependencies, 'db'> {
  /** Returns the model of an agent for a purpose. */
  copilotModelFor: (agent: Agent, kind: CopilotKind) => NamedModel
}

/**
 * Asks the model of a conversation's agent for something that a person of the team wants: within the budget, and with
 * personal data masked as in turns.
 * @throws ApiError budget_reached; model_failed or masking_failed when the model gives no answer
 */
export async function withModel<T>(
  { db, isSpent, copilotModelFor }: CopilotDependencies,
  { id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  kind: CopilotKind,
  ask: (agent: Agent, named: NamedModel) => Promise<T>,
): Promise<T> {
  const agent = await readAgent(db, agent_id)
  const named = copilotModelFor(agent, kind)
  if (!named.isBuiltIn && (await isSpent({ agent, conversationId: id }))) throw new ApiError('budget_reached')
  try {
    return await maskingConversation(db, agent, id, () => ask(agent, named))
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const code = error.reason === 'masking' ? 'masking_failed' : 'model_failed'
    throw new ApiError(code, { message: failureInWords(error), cause: error })
  }
}

/** @throws ApiError model_needed for the built-in answerer, which follows no instructions */
export function requireModel({ isBuiltIn }: Pick<NamedModel, 'isBuiltIn'>): void {
  if (isBuiltIn) throw new ApiError('model_needed')
}

/** The error of a model that says nothing, or not to the end. */
export function noWholeText(): ApiError {
  return new ApiError('model_failed', { message: 'The model said nothing, or was cut off.' })
}
