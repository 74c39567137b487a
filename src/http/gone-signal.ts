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
