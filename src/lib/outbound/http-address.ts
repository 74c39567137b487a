import { z } from 'zod'
import { isObject } from '../untrusted-json.ts'

/**
 * A schema for the address of somebody else's server. The code that stores the address judges whether it may be called.
 */
export const httpAddress = z
  .string()
  .max(2048)
  .refine(
    // URL parsers also take `http:host`, which other checks would read as a path.
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    'must be an http or https address',
  )

/**
 * Returns the origin of an address: scheme, host and port. Null if there is none. The address of a mail server is an
 * object with its parts.
 */
export function originOf(address: unknown): string | null {
  if (isObject(address)) {
    const { security, host, port } = address
    return JSON.stringify([security ?? 'tls', host ?? null, port ?? null])
  }
  return typeof address === 'string' ? (URL.parse(address)?.origin ?? null) : null
}
