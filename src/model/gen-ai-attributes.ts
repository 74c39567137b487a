import type { ModelKind } from '../lib/model-kinds.ts'
import type { SpanAttributes } from '../lib/tracing/tracing.ts'
import type { ModelAnswer } from './model.ts'

const PROVIDERS: Record<ModelKind, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  azure: 'azure.ai.openai',
}

/** OpenTelemetry's attributes for a request to a model (semantic conventions for generative AI), without any text. */
export function genAiRequest(asked: {
  model: string
  /** The protocol of its server; undefined for the built-in answerer. */
  kind: ModelKind | undefined
  conversationId?: string
}): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    // All that is known of a server is the protocol that it speaks.
    'gen_ai.provider.name': asked.kind ? PROVIDERS[asked.kind] : 'parley',
    'gen_ai.request.model': asked.model,
    ...(asked.conversationId === undefined ? {} : { 'gen_ai.conversation.id': asked.conversationId }),
  }
}

/** The attributes of a model's answer. */
export function genAiResponse({ model, usage, finish_reason }: ModelAnswer): SpanAttributes {
  return {
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': [finish_reason],
    ...(usage
      ? {
          'gen_ai.usage.input_tokens': usage.prompt_tokens,
          'gen_ai.usage.output_tokens': usage.completion_tokens,
        }
      : {}),
  }
}
