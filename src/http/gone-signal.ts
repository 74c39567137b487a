import type { FastifyReply, FastifyRequest } from 'fastify'

/** Fires when the client goes away before its answer is written. */
export function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // Whoever went away while the credentials were checked closed before this listens.
  if (request.raw.socket.destroyed) gone.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
