import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests of other sites that would change something: a page can make a browser send its cookies along, but
 * cannot set this header for another origin, nor forge the browser's word on where it comes from.
 * @param publicUrl the address that people use, when it is set; the request's own otherwise
 * @throws ApiError cross_site
 */
export function requireOwnSite(request: FastifyRequest, publicUrl: string | null): void {
  if (SAFE.has(request.method)) return
  const { origin, 'x-parley-console': marked, 'sec-fetch-site': site } = request.headers
  if (marked !== '1') throw new ApiError('cross_site')
  const own = [`${request.protocol}://${request.host}`, ...(publicUrl ? [new URL(publicUrl).origin] : [])]
  const isOwn = origin === undefined ? site === 'same-origin' : own.includes(origin)
  if (!isOwn) throw new ApiError('cross_site')
}
