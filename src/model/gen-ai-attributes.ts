import type { ModelAnswer } from './model.ts'

/** OpenTelemetry's names for what is asked of a model (semantic conventions for generative AI); no text. */
export function genAiRequest(model: string, conversationId?: string): Record<string, string> {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    ...(conversationId === undefined ? {} : { 'gen_ai.conversation.id': conversationId }),
  }
}

/** The same for what it answered. */
export function genAiResponse({ model, usage, finish_reason }: ModelAnswer): Record<string, string | number> {
  return {
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': finish_reason,
    ...(usage
      ? {
          'gen_ai.usage.input_tokens': usage.prompt_tokens,
          'gen_ai.usage.output_tokens': usage.completion_tokens,
        }
      : {}),
  }
}
