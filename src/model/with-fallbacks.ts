import { type Model, type ModelAnswer, ModelError, type ModelPiece, type ModelRequest } from './model.ts'

/** A model server, and its name for the model. */
export interface FallbackModel {
  model: Model
  name: string
}

/**
 * A model that asks the next server when one fails before the first piece of its answer. A request that is too long is
 * not passed on: the caller asks again with less.
 * @param failed called for each failure that another server makes up for
 */
export function withFallbacks(
  first: Model,
  fallbacks: readonly FallbackModel[],
  failed: (error: ModelError) => void,
): Model {
  if (fallbacks.length === 0) return first

  function* inOrder(request: ModelRequest): Generator<[Model, ModelRequest, isLast: boolean]> {
    yield [first, request, false]
    for (const [at, { model, name }] of fallbacks.entries())
      yield [model, { ...request, model: name }, at === fallbacks.length - 1]
  }

  /** Reports a failure that another server can make up for. @throws the error when no other server is to be asked */
  function passOn(error: unknown, isLast: boolean, signal: AbortSignal): void {
    if (isLast || signal.aborted || !(error instanceof ModelError) || error.isContextExceeded) throw error
    failed(error)
  }

  return {
    async complete(request, signal): Promise<ModelAnswer> {
      for (const [model, asked, isLast] of inOrder(request)) {
        try {
          return await model.complete(asked, signal)
        } catch (error) {
          passOn(error, isLast, signal)
        }
      }
      throw new Error('no model was asked')
    },

    async *stream(request, signal): AsyncIterable<ModelPiece[]> {
      for (const [model, asked, isLast] of inOrder(request)) {
        let hasBegun = false
        try {
          for await (const pieces of model.stream(asked, signal)) {
            hasBegun = true
            yield pieces
          }
          return
        } catch (error) {
          if (hasBegun) throw error
          passOn(error, isLast, signal)
        }
      }
    },
  }
}
