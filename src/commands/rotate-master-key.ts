import { openFoundation } from '../foundation.ts'
import { type MasterKeys, readMasterKeys, writeMasterKeys } from '../lib/master-key.ts'
import { resealSecrets } from '../storage/reseal-secrets.ts'
import { type Command, UsageError } from './command.ts'

export const rotateMasterKey: Command = {
  name: 'rotate-master-key',
  usage: '',
  summary: 'Seal all stored secrets with the present master key, while the service runs',
  async run({ config, print }) {
    const { masterKey, masterKeyPrevious, databaseUrl, dataDir } = config
    if (!masterKey || !masterKeyPrevious)
      throw new UsageError(
        'set PARLEY_MASTER_KEY to the new key and PARLEY_MASTER_KEY_PREVIOUS to the old one, for the service too',
      )
    await using foundation = await openFoundation(config)
    const kept = databaseUrl ? null : await keptKeysOf([masterKey, masterKeyPrevious], dataDir)
    // A start without the variables works at any moment: first with both keys, at last with the new one alone.
    if (kept) await writeMasterKeys(dataDir, withFirst(masterKey, [masterKeyPrevious, ...kept]))
    const { resealed, unopened } = await resealSecrets(foundation.database.db, foundation.box)
    const isDone = unopened.length === 0
    if (kept && isDone) await writeMasterKeys(dataDir, [masterKey])
    print({ resealed, unopened }, [
      `${resealed} secrets were sealed anew`,
      ...unopened.map(
        (place) => `neither key opens the secret at ${place}: set it anew, or give the key it needs`,
      ),
      isDone
        ? 'PARLEY_MASTER_KEY_PREVIOUS may be taken away'
        : 'Keep PARLEY_MASTER_KEY_PREVIOUS, and run this again',
    ])
    return isDone ? 0 : 1
  },
}

/** The keys in the data directory, when they are those of the data: one that is of something else is left alone. */
async function keptKeysOf(inUse: string[], dataDir: string): Promise<MasterKeys | null> {
  const kept = await readMasterKeys(dataDir)
  return kept?.some((key) => inUse.includes(key)) ? kept : null
}

function withFirst(first: string, others: string[]): MasterKeys {
  return [first, ...new Set(others.filter((key) => key !== first))]
}
