import { openFoundation } from '../foundation.ts'
import { type MasterKeys, readMasterKeys, writeMasterKeys } from '../lib/secrets/master-key.ts'
import { resealSecrets } from '../storage/reseal-secrets.ts'
import { type Command, UsageError } from './command.ts'

export const rotateMasterKey: Command = {
  name: 'rotate-master-key',
  usage: '',
  summary: 'Encrypt all stored secrets with the current master key, while the service runs',
  async run({ config, print }) {
    const { masterKey, masterKeyPrevious, databaseUrl, dataDir } = config
    if (!masterKey || !masterKeyPrevious)
      throw new UsageError(
        'set PARLEY_MASTER_KEY to the new key and PARLEY_MASTER_KEY_PREVIOUS to the old one, for the service too',
      )
    await using foundation = await openFoundation(config)
    const kept = databaseUrl ? null : await keptKeysOf([masterKey, masterKeyPrevious], dataDir)
    // The file holds both keys during the rotation and the new one afterwards, so that the service can always start
    // without the two variables.
    if (kept) await writeMasterKeys(dataDir, withFirst(masterKey, [masterKeyPrevious, ...kept]))
    const { resealed, unopened } = await resealSecrets(foundation.database.db, foundation.box)
    const isDone = unopened.length === 0
    if (kept && isDone) await writeMasterKeys(dataDir, [masterKey])
    print({ resealed, unopened }, [
      `Encrypted ${resealed} secrets with the new key`,
      ...unopened.map(
        (place) => `neither key opens the secret at ${place}: set it again, or give the key it needs`,
      ),
      isDone
        ? 'You may remove PARLEY_MASTER_KEY_PREVIOUS'
        : 'Keep PARLEY_MASTER_KEY_PREVIOUS, and run this again',
    ])
    return isDone ? 0 : 1
  },
}

/**
 * Reads the keys in the data directory; null when none of them is in use, because the file then belongs to other data.
 */
async function keptKeysOf(inUse: string[], dataDir: string): Promise<MasterKeys | null> {
  const kept = await readMasterKeys(dataDir)
  return kept?.some((key) => inUse.includes(key)) ? kept : null
}

function withFirst(first: string, others: string[]): MasterKeys {
  return [first, ...new Set(others.filter((key) => key !== first))]
}
