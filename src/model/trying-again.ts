import { type Model, type ModelPiece, type ModelRequest, saysSomething, thoughtsOf } from './model.ts'

/** The attempts at one answer. */
interface Attempts {
  /** Returns the model that is asked next, and what it is asked. */
  next(): [Model, ModelRequest]
  /** Prepares the next attempt. @throws the error when there is none */
  failed(error: unknown): Promise<void> | void
  /** Called when the model has answered, or begun to. */
  answered?(): void
}

/** A model that tries again after a failure before the first word or thought of its answer. */
export function tryingAgain(attemptsAt: (request: ModelRequest, signal: AbortSignal) => Attempts): Model {
  return {
    async complete(request, signal) {
      const attempts = attemptsAt(request, signal)
      for (;;) {
        const [model, asked] = attempts.next()
        try {
          const answer = await model.complete(asked, signal)
          attempts.answered?.()
          return answer
        } catch (error) {
          await attempts.failed(error)
        }
      }
    },

    async *stream(request, signal) {
      const attempts = attemptsAt(request, signal)
      for (;;) {
        const [model, asked] = attempts.next()
        let hasBegun = false
        let held: ModelPiece[] = []
        try {
          for await (const pieces of model.stream(asked, signal)) {
            held.push(...pieces)
            if (!hasBegun && !held.some(begins)) continue
            if (!hasBegun) attempts.answered?.()
            hasBegun = true
            yield held
            held = []
          }
          return
        } catch (error) {
          if (hasBegun) throw error
          await attempts.failed(error)
        }
      }
    },
  }
}

/** Tells whether an answer begins with a piece. Many servers send one with only the role long before that. */
function begins({ delta, finish_reason }: ModelPiece): boolean {
  return saysSomething(delta) || thoughtsOf(delta) !== '' || finish_reason !== null
}
