import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Server } from '../http/server.ts'

/** The folder to which `npm run build:console` writes the pages; the packed program has them at the same place. */
export const BUILT = fileURLToPath(new URL('../../console/dist', import.meta.url))

const hidden = { schema: { hide: true } } as const

/**
 * Serves the pages of the console, which read their address themselves: every address below /console answers the same
 * document. Scripts and styles have a hash in their name and never change.
 * @param kept the folder of the scripts and styles of earlier versions, if there is one
 * @param built the folder of those of this version
 */
export function serveConsole(server: Server, kept: string, built: string = BUILT): void {
  const read = (name: string) => {
    const file = join(built, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  const template = read('index.html')
  const serviceWorker = read('service-worker.js')
  const assets = join(built, 'assets')
  server.get('/', hidden, async (_, reply) => reply.redirect('/console'))
  server.register(
    async (console: Server) => {
      console.get('/', hidden, (_, reply) => answerPage(reply))
      console.get('/*', hidden, async (request, reply) => {
        if (/^\/console\/(api|assets)(\/|$)/.test(request.url)) throw new ApiError('not_found')
        return answerPage(reply)
      })
      if (template === null) return
      console.get('/service-worker.js', hidden, (_, reply) =>
        reply
          .header('content-security-policy', "default-src 'self'")
          .header('service-worker-allowed', '/console')
          .header('cache-control', 'no-cache')
          .type('text/javascript; charset=utf-8')
          .send(serviceWorker),
      )
      console.register(files, {
        root: existsSync(kept) ? [assets, kept] : assets,
        prefix: '/assets/',
        index: false,
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        decorateReply: false,
      })
    },
    { prefix: '/console' },
  )

  async function answerPage(reply: FastifyReply) {
    if (template === null)
      throw new ApiError('unavailable', {
        message: 'The console has not been built. `npm run build:console` builds it.',
      })
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .header('content-security-policy', policyWith(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replace('{{nonce}}', nonce))
  }
}

/**
 * Returns the content policy of a console page: it may load only resources of this service, and styles that carry the
 * answer's nonce.
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
