import type { FastifyRequest } from 'fastify'

/**
 * Returns the origins of this service's own pages, as the request reached it.
 * @param publicUrl the address under which people reach the service, if configured
 */
export function ownOrigins(request: FastifyRequest, publicUrl: string | null): string[] {
  return [`${request.protocol}://${request.host}`, ...(publicUrl ? [new URL(publicUrl).origin] : [])]
}
