import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { addInstallationValue, installationValue } from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'

const NAME = 'erasure_key'
const PLACE = `installation|${NAME}|value` as const

/** Reads the installation's private key for receipts of erasures, and creates it at the first start. */
export async function openErasureKey(db: Kysely<Tables>, box: SecretBox): Promise<KeyObject> {
  const present = await installationValue(db, NAME)
  const sealed = present ?? (await createKey(db, box))
  const der = Buffer.from(box.open(sealed, PLACE), 'base64')
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** Stores a new key unless another process has; returns the stored one. */
async function createKey(db: Kysely<Tables>, box: SecretBox): Promise<string> {
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  await addInstallationValue(db, NAME, box.seal(der.toString('base64'), PLACE))
  return (await installationValue(db, NAME)) as string
}
