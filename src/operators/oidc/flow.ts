import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { openText, sealText } from '../../lib/secrets/sealed-text.ts'

const LASTS_MS = 10 * 60_000

/** A sign-in at the identity provider that has begun, with the values that the answer must match. */
export interface Flow {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  verifier: string
}

/** Keeps begun sign-ins in the browser that began them, sealed. */
export interface Flows {
  begin(reply: FastifyReply): Flow
  /** Returns the begun sign-in and deletes it; null when there is none, or it is too old. */
  take(request: FastifyRequest, reply: FastifyReply): Flow | null
}

const kept = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), ends: z.number() })

/**
 * @param key the source of the key that seals
 * @param isSecure true if the service's public address is https
 */
export function flowsInCookie({
  key,
  isSecure,
  clock,
}: {
  key: string
  isSecure: boolean
  clock: Clock
}): Flows {
  const sealing = createHash('sha256').update(key).digest()
  const name = isSecure ? '__Secure-parley_oidc' : 'parley_oidc'
  // Lax: the provider sends the browser back from another site.
  const options = {
    path: '/console/api/oidc',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  } as const

  function read(sealed: string): Flow | null {
    try {
      const { ends, ...flow } = kept.parse(JSON.parse(openText(sealing, sealed, name)))
      return ends > clock() ? flow : null
    } catch {
      return null
    }
  }

  return {
    begin(reply) {
      const flow = { state: random(), nonce: random(), verifier: random() }
      const sealed = sealText(sealing, JSON.stringify({ ...flow, ends: clock() + LASTS_MS }), name)
      reply.setCookie(name, sealed, { ...options, maxAge: LASTS_MS / 1000 })
      return flow
    },
    take(request, reply) {
      const sealed = request.cookies[name]
      if (sealed === undefined) return null
      reply.clearCookie(name, options)
      return read(sealed)
    },
  }
}

/** Returns 256 random bits as text. */
function random(): string {
  return randomBytes(32).toString('base64url')
}
