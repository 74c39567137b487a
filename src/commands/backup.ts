import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { masterKeysOf } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { masterKeyText } from '../lib/secrets/master-key.ts'
import { interruptedBackups, writeBackup } from '../storage/backup-file.ts'
import { forgetBackup, noteBackup } from '../storage/backups.ts'
import { refuseUnfinishedCopy } from '../storage/copy/unfinished-copy.ts'
import { openDatabase, requireDatabase } from '../storage/database.ts'
import { setBy } from '../storage/database-time.ts'
import { partialOf, refuseExisting, writeWhole } from '../storage/write-whole.ts'
import { type Command, UsageError } from './command.ts'

const REPORT_EVERY_MS = 2000

export const backup: Command = {
  name: 'backup',
  usage: 'FILE [--with-key KEYFILE]',
  summary:
    'Write a consistent copy of the database while the service runs; --with-key: the master key as well',
  options: { 'with-key': { type: 'string' } },
  positionals: 1,
  yields: true,
  async run({ config, positionals: [file = ''], options, print }) {
    const keyFile = options['with-key']
    if (typeof keyFile === 'string') {
      if (resolve(keyFile) === resolve(file)) throw new UsageError('--with-key names the file of the backup')
      // Checked first: otherwise the key file would be left behind when the backup is refused.
      await refuseExisting(file)
    }
    requireDatabase(config)
    const database = await openDatabase(config)
    try {
      const tables = await database.db.introspection.getTables()
      const has = (table: string) => tables.some(({ name }) => name === table)
      if (!has('installation')) throw new Error('the database is empty: there is nothing to back up')
      await refuseUnfinishedCopy(database.db)
      if (typeof keyFile === 'string') {
        const keys = await masterKeysOf(config, database)
        await writeWhole(keyFile, (partial) => writeFile(partial, masterKeyText(keys)))
      }
      // Receipts, whose times are the database's, name the backups before them.
      await database.time.measure()
      const at = timestamp(setBy(database.time, Date.now)())
      // Before an upgrade the table may not be there.
      const isNoted = has('backups')
      if (isNoted) await noteBackup(database.db, at)
      const reporting = setInterval(() => void reportSize(partialOf(file)), REPORT_EVERY_MS)
      try {
        await writeBackup(database.engine, file)
      } catch (error) {
        if (isNoted) await forgetBackup(database.db, at)
        throw error
      } finally {
        clearInterval(reporting)
      }
    } finally {
      await database.close()
    }
    const { size } = await stat(file)
    const interrupted = await interruptedBackups(file)
    print({ file, bytes: size, key_file: keyFile ?? null, interrupted }, [
      `Copied the database to ${file}`,
      keyFile === undefined
        ? 'Keep the master key with it, in another place: nothing else opens its secrets'
        : `The master key is in ${keyFile}: keep it in another place`,
      ...interrupted.map((name) => `Delete ${name}: a backup that was interrupted left it`),
    ])
    return 0
  },
}

async function reportSize(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  process.stderr.write(`${Math.round(size / 1_000_000)} MB are written\n`)
}
