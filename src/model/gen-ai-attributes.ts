import type { SpanAttributes } from '../lib/tracing.ts'
import type { ModelAnswer } from './model.ts'

/** OpenTelemetry's names for what is asked of a model (semantic conventions for generative AI); no text. */
export function genAiRequest(asked: {
  model: string
  isBuiltIn: boolean
  conversationId?: string
}): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    // Of servers that speak OpenAI's protocol nothing else is known.
    'gen_ai.provider.name': asked.isBuiltIn ? 'parley' : 'openai',
    'gen_ai.request.model': asked.model,
    ...(asked.conversationId === undefined ? {} : { 'gen_ai.conversation.id': asked.conversationId }),
  }
}

/** The same for what it answered. */
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
