import type { Kysely } from 'kysely'
import webPush from 'web-push'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { addInstallationValue, installationValue } from '../../storage/installation.ts'
import type { Tables } from '../../storage/tables.ts'

const NAME = 'push_key'
const PLACE = `installation|${NAME}|value` as const

/** The keys by which push services know this installation (VAPID, RFC 8292), in base64url. */
interface PushKeys {
  publicKey: string
  privateKey: string
}

/** Reads the keys of the installation, and makes them when they are used first. */
export async function readPushKeys(db: Kysely<Tables>, box: SecretBox): Promise<PushKeys> {
  const sealed = (await installationValue(db, NAME)) ?? (await createKeys(db, box))
  const [publicKey = '', privateKey = ''] = box.open(sealed, PLACE).split(' ')
  return { publicKey, privateKey }
}

/** Stores new keys unless another process has; returns the stored ones. */
async function createKeys(db: Kysely<Tables>, box: SecretBox): Promise<string> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await addInstallationValue(db, NAME, box.seal(`${publicKey} ${privateKey}`, PLACE))
  return (await installationValue(db, NAME)) as string
}
