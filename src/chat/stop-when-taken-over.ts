import type { WakeUps } from '../storage/wake-ups.ts'
import { takenOverTopic } from '../transcripts/conversations/pause-state.ts'

/** Ends what is done for a prompt. */
export interface Stop extends Disposable {
  readonly signal: AbortSignal
}

/**
 * A signal that fires when a person takes a conversation over, in whichever process, or when the client has left. It
 * listens until it is disposed of.
 */
export function stopWhenTakenOver(
  listen: WakeUps['listen'],
  conversationId: string,
  left: AbortSignal,
): Stop {
  const stop = new AbortController()
  const abort = () => stop.abort(left.reason)
  const unlisten = listen(takenOverTopic(conversationId), abort)
  // `AbortSignal.any` would cost as much as several queries.
  if (left.aborted) abort()
  else left.addEventListener('abort', abort)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      unlisten()
      left.removeEventListener('abort', abort)
    },
  }
}
