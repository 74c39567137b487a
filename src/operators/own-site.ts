import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { ownOrigins } from '../http/own-origins.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests from other sites that would change something. Another site's page can make a browser send its
 * cookies, but it cannot set this header for a foreign origin, nor change the browser's statement about the origin of a
 * request.
 * @param publicUrl the address under which people reach the console, if configured; otherwise the request's own address
 * counts
 * @throws ApiError cross_site
 */
export function requireOwnSite(request: FastifyRequest, publicUrl: string | null): void {
  if (SAFE.has(request.method)) return
  const { origin, 'x-parley-console': marked, 'sec-fetch-site': site } = request.headers
  if (marked !== '1') throw new ApiError('cross_site')
  const isOwn =
    origin === undefined ? site === 'same-origin' : ownOrigins(request, publicUrl).includes(origin)
  if (!isOwn) throw new ApiError('cross_site')
}
