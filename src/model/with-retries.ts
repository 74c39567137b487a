import { setTimeout as wait } from 'node:timers/promises'
import { type Model, ModelError } from './model.ts'
import { tryingAgain } from './trying-again.ts'

/** The wait before a request is sent again when the server names none; the second one is three times as long. */
const PAUSE_MS = 300
/** The longest wait that a server may ask for: nobody waits longer for the beginning of an answer. */
const LONGEST_WAIT_MS = 20_000
/** Answers of a server that is too busy, or just not there. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 529])

/**
 * A model that is asked again, when a failure before the first word or thought of its answer will pass: the
 * server is too busy, or the connection broke. What it says of the wait is obeyed.
 * @param retries the most times that a request is sent again
 */
export function withRetries(model: Model, retries: number): Model {
  return tryingAgain((request, signal) => {
    let tries = 0
    return {
      next: () => [model, request],
      async failed(error) {
        if (tries >= retries || signal.aborted || !(error instanceof ModelError) || !willPass(error))
          throw error
        const waitMs = error.retryAfterMs ?? PAUSE_MS * 3 ** tries * (0.75 + Math.random() / 2)
        if (waitMs > LONGEST_WAIT_MS) throw error
        tries++
        await wait(waitMs, undefined, { signal })
      },
    }
  })
}

function willPass({ reason, status, said, isContextExceeded }: ModelError): boolean {
  if (reason === 'unreachable' || reason === 'interrupted') return true
  // Anthropic may say so in a stream that has begun.
  if (said?.code === 'overloaded_error') return true
  // A quota that is used up is told with 429, too, and does not come back within seconds.
  return (
    reason === 'status' &&
    PASSING.has(status ?? 0) &&
    said?.code !== 'insufficient_quota' &&
    !isContextExceeded
  )
}
