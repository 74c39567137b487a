import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const LASTS_SECONDS = 30 * 24 * 60 * 60

/** The cookie that holds a session. */
export interface ConsoleCookie {
  read(request: FastifyRequest): string | null
  write(reply: FastifyReply, token: string): void
  clear(reply: FastifyReply): void
}

/**
 * Creates the cookie of a session in the console. Scripts cannot read it, other sites cannot send it with requests that
 * change something, and it is sent only to the console. When the service's public address is https, it is never sent
 * without encryption.
 * @param isSecure true if the service's public address is https
 */
export function consoleCookie(isSecure: boolean): ConsoleCookie {
  const name = isSecure ? '__Secure-parley_session' : 'parley_session'
  const options = { path: '/console', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  return {
    read: (request) => request.cookies[name] ?? null,
    write: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: LASTS_SECONDS }),
    clear: (reply) => void reply.clearCookie(name, options),
  }
}
