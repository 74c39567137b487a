import type { NamedModel } from '../agents/model-of-agent.ts'
import { inSpan } from '../lib/tracing/tracing.ts'
import type { MarkedCitations } from '../model/cite-marked.ts'
import { type ContextParts, type FittedContext, fitContext } from '../model/fit-context.ts'
import { genAiRequest, genAiResponse } from '../model/gen-ai-attributes.ts'
import { type ModelAnswer, ModelError, type ModelRequest } from '../model/model.ts'
import type { AnswerStream } from './answer-stream.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'

export interface Asking extends Pick<TurnDependencies, 'rooms' | 'modelCalled' | 'modelFailed'> {
  named: NamedModel
  /** Sends the answer while it is made; null: it is wanted in one piece. */
  stream: Pick<AnswerStream, 'follow' | 'hasLeft'> | null
  /** The passages that the answer marks as used; null: it marks none. */
  marked: MarkedCitations | null
  /** Called when turns of the conversation did not fit. */
  onCut: () => void
  /** Fires when nobody wants the answer any more. */
  signal: AbortSignal
}

/** Asks with the context that fits, and again with half of it if the model can read less than the settings say. */
export async function askModel(
  {
    named: { model, name, isBuiltIn },
    rooms,
    stream,
    marked,
    onCut,
    signal,
    modelCalled,
    modelFailed,
  }: Asking,
  { agent, conversationId }: StartedTurn,
  parts: ContextParts,
  parameters: Record<string, unknown>,
): Promise<ModelAnswer> {
  const room = rooms.of(conversationId, agent, parameters)
  const fitted = fitContext(parts, room.tokens)
  try {
    return await ask(fitted)
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.isContextExceeded && !stream?.hasLeft()
    const half = fitContext(parts, fitted.tokens / 2)
    if (!isTooLong || half.tokens >= fitted.tokens) throw error
    const answered = await ask(half)
    room.shrink(half.tokens)
    return answered
  }

  async function ask({ messages, tokens, hasPassages, isCut }: FittedContext) {
    if (isCut) onCut()
    const request: ModelRequest = { model: name, messages, parameters }
    const started = performance.now()
    // Passages that were shown in an earlier round of the turn still count as shown.
    const wasShown = marked?.isShown ?? false
    if (marked) marked.isShown ||= hasPassages
    const ended = (outcome: string) => modelCalled(outcome, (performance.now() - started) / 1000)
    const call = () =>
      stream ? stream.follow(model.stream(request, signal)) : model.complete(request, signal)
    try {
      const asked = genAiRequest({ model: name, isBuiltIn, conversationId })
      const said = await inSpan(`chat ${name}`, 'client', asked, call, genAiResponse)
      ended('ok')
      if (!isBuiltIn) room.correct(tokens, said.usage)
      return said
    } catch (error) {
      if (marked) marked.isShown = wasShown
      const isModelError = error instanceof ModelError
      ended(signal.aborted ? 'aborted' : isModelError ? error.reason : 'internal')
      if (isModelError && !signal.aborted) modelFailed(agent.id, error)
      throw error
    }
  }
}
