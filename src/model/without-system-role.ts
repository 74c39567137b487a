import { withoutSystem } from './in-roles.ts'
import { type Model, ModelError } from './model.ts'
import { tryingAgain } from './trying-again.ts'

/** The words that refuse a system message: of the templates of Gemma and older Mistral models, and of Gemini's API. */
const REFUSED = /system role|roles? must alternate|developer instruction is not enabled/i

/**
 * A model whose template may have no system role. Once it has refused a system message, that is sent as the beginning of
 * what the user says first, then and in all later requests.
 */
export function withoutSystemRole(model: Model): Model {
  let isRefused = false

  return tryingAgain((request) => {
    let isMoved = false
    return {
      next() {
        isMoved = isRefused
        return [model, isMoved ? { ...request, messages: withoutSystem(request.messages) } : request]
      },
      failed(error) {
        const isTold = error instanceof ModelError && REFUSED.test(error.said?.message ?? '')
        if (!isTold || isMoved || request.messages[0]?.role !== 'system') throw error
        isRefused = true
      },
    }
  })
}
