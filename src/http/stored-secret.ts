import { z } from 'zod'

/** A stored secret as the API returns it, without the secret itself. */
export const storedSecret = z.object({
  set: z.boolean(),
  last_four: z.string().nullable().describe('The last four characters of a secret of at least twelve.'),
})

export type StoredSecret = z.output<typeof storedSecret>

/** Returns whether a secret is set, and its last four characters. */
export function presentSecret(secret: string | null): StoredSecret {
  if (secret === null) return { set: false, last_four: null }
  // Four characters of a short secret would reveal too much of it.
  return { set: true, last_four: secret.length >= 12 ? secret.slice(-4) : null }
}
