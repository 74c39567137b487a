import { inSpan } from '../../lib/tracing/tracing.ts'
import { type FittedContext, fitContext } from '../../model/fit-context.ts'
import { genAiRequest, genAiResponse } from '../../model/gen-ai-attributes.ts'
import { inRoles } from '../../model/in-roles.ts'
import { type ModelAnswer, ModelError, type ModelRequest } from '../../model/model.ts'
import { estimateUsage } from '../../usage/metered.ts'
import { sendFiles } from '../files/send-files.ts'
import type { AnswerStream } from './answer-stream.ts'
import type { AnswerDependencies, Answering, Asked, Said } from './answering.ts'

/**
 * Asks with the context that fits, and again with half of it if the model can read less than the settings say.
 * @param stream sends the answer while it is made; null: it is wanted in one piece
 */
export async function askModel(
  { files, rooms, modelFailed }: Pick<AnswerDependencies, 'files' | 'rooms' | 'modelFailed'>,
  { turn: { agent, conversationId }, named: { model, name, isBuiltIn, kind, takesFiles }, signal }: Answering,
  { prompt, parameters, marked }: Asked,
  stream: Pick<AnswerStream, 'follow' | 'hasLeft'> | null,
): Promise<Said> {
  const room = rooms.of(conversationId, agent, parameters)
  const fitted = fitContext(prompt, room.tokens)
  try {
    return { said: await ask(fitted), isCut: fitted.isCut }
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.isContextExceeded && !stream?.hasLeft()
    const half = fitContext(prompt, fitted.tokens / 2)
    if (!isTooLong || half.tokens >= fitted.tokens) throw error
    const said = await ask(half)
    room.shrink(half.tokens)
    return { said, isCut: half.isCut }
  }

  async function ask({ messages, tokens, passages }: FittedContext): Promise<ModelAnswer> {
    // The built-in answerer has no template, and reads the user's own words.
    const request: ModelRequest = {
      model: name,
      messages: isBuiltIn
        ? messages
        : inRoles(await sendFiles(files, agent, takesFiles?.() ?? true, messages, prompt.prompt)),
      parameters,
    }
    // Passages that were shown in an earlier round of the turn still count as shown.
    const shownBefore = marked?.shown ?? 0
    if (marked) marked.shown = Math.max(shownBefore, passages)
    const call = () =>
      stream ? stream.follow(model.stream(request, signal)) : model.complete(request, signal)
    try {
      const asked = genAiRequest({ model: name, kind, conversationId })
      const said = await inSpan(`chat ${name}`, 'client', asked, call, genAiResponse)
      if (!isBuiltIn) room.correct(tokens, said.usage)
      return { ...said, usage: said.usage ?? estimateUsage(request, said) }
    } catch (error) {
      if (marked) marked.shown = shownBefore
      if (error instanceof ModelError && !signal.aborted) modelFailed(agent.id, error)
      throw error
    }
  }
}
