import { z } from 'zod'

/** The address of somebody else's server, in a request. Whether it may be called is judged where it is kept. */
export const httpAddress = z
  .string()
  .max(2048)
  .refine(
    (text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
    'must be an http or https address',
  )

/** Where an address leads: scheme, host and port. Null when there is none. */
export function originOf(address: unknown): string | null {
  return typeof address === 'string' ? (URL.parse(address)?.origin ?? null) : null
}
