import { type Model, ModelError, type ModelRequest } from './model.ts'
import { tryingAgain } from './trying-again.ts'

/** A model server, and its name for the model. */
interface FallbackModel {
  model: Model
  name: string
}

/**
 * A model that asks the next server when one fails before the first word or thought of its answer. A request that is
 * too long is not passed on: the caller asks again with less.
 * @param failed called for each failure that another server makes up for
 */
export function withFallbacks(
  first: Model,
  fallbacks: readonly FallbackModel[],
  failed: (error: ModelError) => void,
): Model {
  return tryingAgain((request, signal) => {
    let next: [Model, ModelRequest] = [first, request]
    const left = fallbacks.map(({ model, name }): [Model, ModelRequest] => [
      model,
      { ...request, model: name },
    ])
    return {
      next: () => next,
      failed(error) {
        const other = left.shift()
        if (!other || signal.aborted || !(error instanceof ModelError) || error.isContextExceeded) throw error
        failed(error)
        next = other
      },
    }
  })
}
