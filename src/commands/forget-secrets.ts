import { listAllAgents } from '../agents/agent.ts'
import { byCommandLine } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { openFoundation } from '../foundation.ts'
import { keptMasterKeys, type MasterKeys, readMasterKeys, withPrevious } from '../lib/secrets/master-key.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import { openDatabase, requireDatabase } from '../storage/database.ts'
import { forgetSecrets } from '../storage/forget-secrets.ts'
import { lockFolder } from '../storage/sqlite/serving-lock.ts'
import { unopenedSecrets } from '../storage/unopened-secrets.ts'
import { triggers } from '../triggers.ts'
import type { Command } from './command.ts'

const HASH_KEY = 'installation|credential_hash_key|value'

export const forgetSecretsCommand: Command = {
  name: 'forget-secrets',
  usage: '[--yes]',
  summary:
    'After the master key is lost: list the secrets that nothing opens any more; --yes: go on without them, with a new key',
  options: { yes: { type: 'boolean' } },
  async run({ config, options, print }) {
    const isSure = options.yes === true
    requireDatabase(config)
    using _lock = lockFolder(config)
    const unopened = await forget(config, isSure)
    const isWithoutCredentials = isSure && unopened.includes(HASH_KEY)
    if (isWithoutCredentials) await revokeAll(config)
    print({ unopened, forgotten: isSure }, [
      ...unopened.map((place) => `${isSure ? 'forgotten' : 'nothing opens'}: ${place}`),
      unopened.length === 0
        ? 'The master key opens all secrets: there is nothing to forget'
        : isSure
          ? 'Set these again, where they are still needed'
          : 'With --yes they are forgotten for good. Look for the master key first: each backup --with-key has it',
      ...(isWithoutCredentials
        ? [
            'All API keys and bearer tokens are revoked: make others with parley keys create and tokens create',
          ]
        : []),
    ])
    return 0
  },
}

/** Finds the secrets that no key opens, and forgets them if `isSure`. @returns their places */
async function forget(config: Config, isSure: boolean): Promise<string[]> {
  const { masterKey, masterKeyPrevious, dataDir } = config
  const database = await openDatabase(config)
  const { db } = database
  try {
    await database.migrate({ triggers })
    const keys: MasterKeys = masterKey ? [masterKey] : await keysIn(dataDir, isSure)
    const box = createSecretBox(...withPrevious(keys, masterKeyPrevious))
    const unopened = await unopenedSecrets(db, box)
    if (isSure) await forgetSecrets(db, box, unopened)
    return unopened
  } finally {
    await database.close()
  }
}

/**
 * Reads the keys of a data directory; if it has none, makes one if `isMade`, or else returns a key that opens nothing.
 * @throws Error if there is a key file that cannot be read, because its key is not lost
 */
async function keysIn(dataDir: string, isMade: boolean): Promise<MasterKeys> {
  return (await readMasterKeys(dataDir)) ?? (isMade ? keptMasterKeys(dataDir, true) : [NO_KEY])
}

/** A key that no secret was sealed with. */
const NO_KEY = Buffer.alloc(32).toString('base64')

/** Revokes all API keys and bearer tokens: nothing can verify them without the key of their hashes. */
async function revokeAll(config: Config): Promise<void> {
  await using foundation = await openFoundation(config)
  const { credentials, database } = foundation
  const agents = await listAllAgents(database.db)
  for (const { id } of agents)
    for (const key of (await credentials.listKeys(id)) ?? [])
      await credentials.revokeKey({ id: key.id }, byCommandLine)
  for (const team of new Set(agents.map(({ teamId }) => teamId)))
    for (const token of (await credentials.listTokens(team)) ?? [])
      await credentials.revokeToken({ id: token.id }, byCommandLine)
}
