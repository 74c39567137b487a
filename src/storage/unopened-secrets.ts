import type { Kysely } from 'kysely'
import type { SealedPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { changeSealed } from './change-sealed.ts'
import type { Tables } from './tables.ts'

/** Tries to open every stored secret, and changes none. @returns the places of those that no key opens */
export async function unopenedSecrets(db: Kysely<Tables>, box: SecretBox): Promise<SealedPlace[]> {
  const { unopened } = await changeSealed(db, ({ sealed, place, address }) => {
    box.renew(sealed, place, address)
    return sealed
  })
  return unopened
}
