import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Server } from '../http/server.ts'

/** Where `npm run build:console` puts the pages; the packed program has them at the same place. */
const BUILT = fileURLToPath(new URL('../../console/dist', import.meta.url))

const hidden = { schema: { hide: true } } as const

/**
 * Serves the pages of the console, which read their address themselves: every address below /console answers the same
 * document. Scripts and styles have a hash in their name and never change.
 * @param built the folder that holds them
 */
export function serveConsole(server: Server, built: string = BUILT): void {
  const file = join(built, 'index.html')
  const template = existsSync(file) ? readFileSync(file, 'utf8') : null
  server.get('/', hidden, async (_, reply) => reply.redirect('/console'))
  server.register(
    async (console: Server) => {
      console.get('/', hidden, (_, reply) => answerPage(reply))
      console.get('/*', hidden, async (request, reply) => {
        if (/^\/console\/(api|assets)(\/|$)/.test(request.url)) throw new ApiError('not_found')
        return answerPage(reply)
      })
      if (template === null) return
      console.register(files, {
        root: join(built, 'assets'),
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

/** What a page of the console may load: only what this service serves, and styles that carry the answer's nonce. */
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
