import type { SpanAttributes } from '../lib/tracing/tracing.ts'
import type { ModelAnswer } from './model.ts'

/** OpenTelemetry's attributes for a request to a model (semantic conventions for generative AI), without any text. */
export function genAiRequest(asked: {
  model: string
  isBuiltIn: boolean
  conversationId?: string
}): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    // All that is known of any other server is that it speaks OpenAI's protocol.
    'gen_ai.provider.name': asked.isBuiltIn ? 'parley' : 'openai',
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
