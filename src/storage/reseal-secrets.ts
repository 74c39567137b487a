import type { Kysely } from 'kysely'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { changeSealed } from './change-sealed.ts'
import type { Tables } from './tables.ts'

/** The result of rotating the master key. */
interface Resealed {
  /** The number of secrets that were sealed with a previous key and are now sealed with the current one. */
  resealed: number
  /** The places of the secrets that no key opens. */
  unopened: string[]
}

/** Seals every stored secret with the current master key; those that already are stay as they are. */
export async function resealSecrets(db: Kysely<Tables>, box: SecretBox): Promise<Resealed> {
  const { changed, unopened } = await changeSealed(db, ({ sealed, place, address }) =>
    box.isCurrent(sealed) ? sealed : box.renew(sealed, place, address),
  )
  return { resealed: changed, unopened }
}
