import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, DAY_MS } from '../lib/clock.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import type { OperatorRow } from './tables.ts'

const LASTS_MS = 90 * DAY_MS

/** Recognizes devices on which a person has signed in before: wrong guesses elsewhere do not lock these out. */
export interface KnownDevices {
  /** Returns the mark that this device got when the person signed in on it; null when it has none of theirs. */
  read(request: FastifyRequest, operator: OperatorRow): string | null
  write(reply: FastifyReply, operator: OperatorRow): void
}

/**
 * Keeps the mark of a known device in a signed cookie of its person. It is valid for 90 days, or until the password
 * changes.
 * @param key signs
 * @param isSecure true if the service's public address is https
 */
export function knownDevices(key: string, isSecure: boolean, clock: Clock): KnownDevices {
  const nameOf = ({ id }: OperatorRow) => `${isSecure ? '__Secure-' : ''}parley_device_${id}`
  const sign = ({ id, password_hash }: OperatorRow, issued: string) =>
    `${issued}.${createHmac('sha256', key).update([id, issued, password_hash].join('\n')).digest('base64url')}`
  return {
    read(request, operator) {
      const given = request.cookies[nameOf(operator)]
      const [issued = ''] = given?.split('.') ?? []
      if (!given || !equalInConstantTime(given, sign(operator, issued))) return null
      return Number(issued) > clock() - LASTS_MS ? given : null
    },
    write(reply, operator) {
      reply.setCookie(nameOf(operator), sign(operator, String(clock())), {
        path: '/console/api',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        maxAge: LASTS_MS / 1000,
      })
    },
  }
}
