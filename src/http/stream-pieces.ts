import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'
import { goneSignal } from './gone-signal.ts'
import { type EventStream, openEventStream } from './server-sent-events.ts'

/**
 * Streams a text while it is made: each piece as `delta`, then the whole result as `data`. The stream opens with the
 * first piece, so that an earlier failure can still set the status.
 * @param toApiError makes the error that ends a stream when it is too late for a status
 * @param make gets a function that sends a piece, and a signal that fires when the client goes away
 */
export async function streamPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  toApiError: (error: unknown) => ApiError,
  make: (say: (piece: string) => Promise<void>, signal: AbortSignal) => Promise<unknown>,
): Promise<FastifyReply> {
  const signal = goneSignal(request, reply)
  let out: EventStream | undefined
  const open = () => {
    out ??= openEventStream(reply)
    return out
  }
  try {
    const data = await make(async (delta) => {
      open().send([JSON.stringify({ delta })])
      await open().drained()
    }, signal)
    open().end([JSON.stringify({ data }), '[DONE]'])
  } catch (error) {
    // Nobody waits for the text any more.
    if (signal.aborted) return reply.hijack()
    if (!out) throw error
    const failure = toApiError(error)
    request.log.warn({ code: failure.code }, 'stream ended with an error')
    out.end([JSON.stringify(failure.body(request.id))])
  }
  return reply
}
