import type { Kysely } from 'kysely'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { changeSealed } from './change-sealed.ts'
import { addInstallationValue, holdsData, installationValue } from './installation.ts'
import type { Tables } from './tables.ts'

const BOUND = 'secrets_bound'

/**
 * Binds the secrets that a version without origins stored to the addresses beside them. Until then they cannot be sent
 * anywhere. @returns the number of them
 */
export async function bindSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  const { changed } = await changeSealed(db, ({ sealed, place, address }) =>
    address === undefined ? sealed : box.bind(sealed, place as SentPlace, address),
  )
  return changed
}

/** Binds these secrets once, before anything opens one of them. */
export async function bindOlderSecrets(db: Kysely<Tables>, box: SecretBox): Promise<void> {
  if ((await installationValue(db, BOUND)) !== null) return
  if (await holdsData(db)) await bindSecrets(db, box)
  await addInstallationValue(db, BOUND, 'true')
}
