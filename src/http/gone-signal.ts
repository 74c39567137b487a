import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns a signal that fires when the client closes the connection before its answer is written. */
export function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // If the client left while the credentials were checked, `close` was emitted before this listens.
  if (request.raw.socket.destroyed) gone.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Answers a call with what is made for it, unless that fails because the client has gone away. */
export async function unlessGone<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  make: (signal: AbortSignal) => Promise<T>,
): Promise<T | FastifyReply> {
  const signal = goneSignal(request, reply)
  try {
    return await make(signal)
  } catch (error) {
    // Nobody waits for the answer any more.
    if (signal.aborted) return reply.hijack()
    throw error
  }
}
