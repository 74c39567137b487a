import { withoutSystem } from './in-roles.ts'
import { type Model, ModelError, type ModelRequest } from './model.ts'

/** The words with which templates refuse a system message, as in those of Gemma and of older Mistral models. */
const REFUSED = /system role|roles? must alternate/i

/**
 * A model whose template may have no system role. Once it has refused a system message, that is sent as the beginning of
 * what the user says first, then and in all later requests.
 */
export function withoutSystemRole(model: Model): Model {
  let isRefused = false

  const asked = (request: ModelRequest) =>
    isRefused ? { ...request, messages: withoutSystem(request.messages) } : request

  /** @throws the error when it is another one, or nothing can be done about it */
  function noteRefusal(error: unknown, { messages: [first] }: ModelRequest): void {
    const isTold = error instanceof ModelError && REFUSED.test(error.said?.message ?? '')
    if (!isTold || isRefused || first?.role !== 'system') throw error
    isRefused = true
  }

  return {
    async complete(request, signal) {
      try {
        return await model.complete(asked(request), signal)
      } catch (error) {
        noteRefusal(error, request)
        return model.complete(asked(request), signal)
      }
    },

    async *stream(request, signal) {
      try {
        yield* model.stream(asked(request), signal)
      } catch (error) {
        noteRefusal(error, request)
        yield* model.stream(asked(request), signal)
      }
    },
  }
}
