import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { KeptPlace, SealedPlace, SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { changeSealed } from './change-sealed.ts'
import type { Tables } from './tables.ts'

/**
 * Puts random secrets in the place of those that no key of the box opens, so that what they protected stays closed
 * until somebody sets them again. Those of the installation are removed: the next start makes them.
 * @param unopened the places of all these secrets
 */
export async function forgetSecrets(
  db: Kysely<Tables>,
  box: SecretBox,
  unopened: readonly SealedPlace[],
): Promise<void> {
  const names = unopened.flatMap((place) => {
    const [table, name = ''] = place.split('|')
    return table === 'installation' ? [name] : []
  })
  if (names.length > 0) await db.deleteFrom('installation').where('name', 'in', names).execute()
  await changeSealed(db, ({ sealed, place, address }) => {
    try {
      box.renew(sealed, place, address)
      return sealed
    } catch {
      const secret = place.endsWith('|headers') ? JSON.stringify({ headers: {} }) : randomSecret()
      return address === undefined
        ? box.seal(secret, place as KeptPlace)
        : box.sealFor(address, secret, place as SentPlace)
    }
  })
}

/** Returns a text that any secret may be, also that of a second factor: letters that base32 has. */
function randomSecret(): string {
  return Array.from(randomBytes(32), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('')
}
