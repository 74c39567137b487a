import type { Config } from '../config.ts'
import { refuseOtherKeys } from '../credentials/credentials.ts'
import {
  keepMasterKeys,
  type MasterKeys,
  readMasterKeyFile,
  readMasterKeys,
  withPrevious,
} from '../lib/secrets/master-key.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import type { InspectedBackup } from '../storage/inspected-backup.ts'
import { restoreBackup, verifyBackup } from '../storage/restore-backup.ts'
import { type Command, UsageError } from './command.ts'

export const restore: Command = {
  name: 'restore',
  usage: 'FILE [--verify] [--key KEYFILE]',
  summary: 'Restore a backup into an empty database; --verify: only read all of it and try the master key',
  options: { verify: { type: 'boolean' }, key: { type: 'string' } },
  positionals: 1,
  yields: true,
  async run({ config, positionals: [file = ''], options, print }) {
    const isVerified = options.verify === true
    if (!isVerified && options.key !== undefined && config.databaseUrl !== null)
      throw new UsageError('with PostgreSQL, PARLEY_MASTER_KEY must be the key: leave --key out')
    const keys = await keysFor(config, options.key)
    if (!isVerified && keys === null)
      throw new Error(
        'nothing opens the secrets of a backup without its master key: give it with --key KEYFILE',
      )
    const read = { tables: 0, rows: 0, version: null as string | null }
    async function check({ tables, rows, installation, seal }: InspectedBackup): Promise<void> {
      Object.assign(read, { tables, rows, version: seal?.version ?? null })
      if (keys === null) return
      refuseOtherKeys(createSecretBox(...keys), installation)
      // Only a key from --key is written to disk. A key in the settings is there to be kept apart from the data.
      if (!isVerified && options.key !== undefined) await keepMasterKeys(config.dataDir, keys)
    }
    await (isVerified ? verifyBackup(file, check) : restoreBackup(file, config, check))
    print({ ...read, restored: !isVerified, key_opens: keys === null ? null : true }, [
      `${isVerified ? 'Read' : 'Restored'} ${read.rows} rows of ${read.tables} tables: the backup is whole`,
      read.version === null
        ? 'It has no checksum, so bytes may have changed unnoticed: pg_dump wrote it, not parley backup'
        : `Every byte of it is as version ${read.version} of Parley wrote it`,
      keys === null
        ? 'Its secrets were not tried: give the master key with --key KEYFILE'
        : 'The master key opens its secrets',
    ])
    return 0
  },
}

/** Reads the master keys to try: those of a file that was named, of the settings, or of the data directory. */
async function keysFor(config: Config, file: string | boolean | undefined): Promise<MasterKeys | null> {
  const { masterKey, masterKeyPrevious, databaseUrl, dataDir } = config
  if (typeof file === 'string') {
    const keys = await readMasterKeyFile(file)
    if (keys === null) throw new Error(`there is no ${file}`)
    return keys
  }
  if (masterKey) return withPrevious([masterKey], masterKeyPrevious)
  return databaseUrl === null ? readMasterKeys(dataDir) : null
}
