import { z } from 'zod'

/** A stored secret as it is answered: never itself. */
export const storedSecret = z.object({
  set: z.boolean(),
  last_four: z.string().nullable().describe('The last four characters of a secret of at least twelve.'),
})

export type StoredSecret = z.output<typeof storedSecret>

/** Tells of a secret whether it is set and how it ends. */
export function presentSecret(secret: string | null): StoredSecret {
  if (secret === null) return { set: false, last_four: null }
  // Four characters of a short secret would tell too much of it.
  return { set: true, last_four: secret.length >= 12 ? secret.slice(-4) : null }
}
