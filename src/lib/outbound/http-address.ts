import { z } from 'zod'

/** The address of somebody else's server, in a request. Whether it may be called is judged where it is kept. */
export const httpAddress = z
  .string()
  .max(2048)
  .refine(
    // URL parsers also take `http:host`, which other checks would read as a path.
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    'must be an http or https address',
  )

/** Where an address leads: scheme, host and port. Null when there is none. */
export function originOf(address: unknown): string | null {
  return typeof address === 'string' ? (URL.parse(address)?.origin ?? null) : null
}
