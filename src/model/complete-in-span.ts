import type { ModelKind } from '../lib/model-kinds.ts'
import { inSpan } from '../lib/tracing/tracing.ts'
import { genAiRequest, genAiResponse } from './gen-ai-attributes.ts'
import type { Model, ModelAnswer, ModelRequest } from './model.ts'

/** Asks a model for a whole answer, within a span of its own. @throws ModelError */
export function completeInSpan(
  { model, kind }: { model: Model; kind?: ModelKind },
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const asked = genAiRequest({ model: request.model, kind })
  return inSpan(
    `chat ${request.model}`,
    'client',
    asked,
    () => model.complete(request, signal),
    genAiResponse,
  )
}
